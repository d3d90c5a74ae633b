import Foundation

/// The samples as files, for peers in other languages.
enum SampleFiles {
    static func write(_ count: Int, to folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        func write(_ samples: some Encodable, as name: String) throws {
            try encoder.encode(samples).write(to: folder.appendingPathComponent("\(name).json"))
        }
        try write(PersonSample.make(count), as: "people")
        try write(ItemSample.make(count), as: "items")
        try write(FamilySample.make(FetchFamilies<RawPeer>.parents(for: count)), as: "families")
        try write(FetchByIdentifier<RawPeer>.chosen(of: Array(0..<count)), as: "order")
    }
}
