import Foundation

/// The JSON files of Debian's `iso-codes`.
struct ISOCodes {
    struct Country: Decodable {
        let alpha_2: String
        let name: String
        let official_name: String?
        let flag: String?
    }

    struct Subdivision: Decodable {
        let code: String
        let name: String
        let type: String
        let parent: String?

        var country: String { String(code.prefix { $0 != "-" }) }

        /// The whole code of the parent; in the file, the code may lack the country.
        var parentCode: String? {
            parent.map { $0.contains("-") ? $0 : "\(country)-\($0)" }
        }
    }

    struct Currency: Decodable {
        let alpha_3: String
        let name: String
    }

    struct Language: Decodable {
        let alpha_3: String
        let name: String
        let scope: String
        let type: String
    }

    let countries: [Country]
    let subdivisions: [Subdivision]
    let currencies: [Currency]
    let languages: [Language]

    init(in folder: URL = URL(fileURLWithPath: "/usr/share/iso-codes/json", isDirectory: true)) throws {
        countries = try Self.read("3166-1", in: folder)
        subdivisions = try Self.read("3166-2", in: folder)
        currencies = try Self.read("4217", in: folder)
        languages = try Self.read("639-3", in: folder)
    }

    var total: Int { countries.count + subdivisions.count + currencies.count + languages.count }

    /// Each file is an object with one member, named after the standard, whose value is a list.
    private static func read<Entry: Decodable>(_ standard: String, in folder: URL) throws -> [Entry] {
        let file = folder.appendingPathComponent("iso_\(standard).json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw QuickStartError("'\(file.path)' is missing. Install the package 'iso-codes'.")
        }
        let content = try JSONDecoder().decode([String: [Entry]].self, from: Data(contentsOf: file))
        guard let entries = content[standard] else {
            throw QuickStartError("'\(file.path)' has no list '\(standard)'.")
        }
        return entries
    }
}
