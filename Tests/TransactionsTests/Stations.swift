import Coffer

/// Stations of lines, for fetches that read their objects in pages or batches.
enum Stations {
    final class Station: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("zone") var zone: Int?
        @Field.Stored("name") var name: String?
        @Field.Stored("height") var height: Double?
        @Field.Relationship("line") var line: Line?
    }

    final class Line: CoreStoreObject {
        @Field.Stored("title") var title: String = ""
        @Field.Relationship("stations", inverse: \.$line) var stations: Set<Station>
    }

    /// The values of a station, for a sort without the store.
    struct Model {
        var number: Int
        var zone: Int?
        var name: String?
        var height: Double?
        var title: String?

        /// Whether a station comes before another one in an order by some attributes, and then by number.
        static func isBefore(_ left: Model, _ right: Model, _ keys: [(name: String, ascending: Bool)]) -> Bool {
            for (name, ascending) in keys {
                let answer =
                    switch name {
                    case "zone": precedes(left.zone, right.zone, ascending)
                    case "height": precedes(left.height, right.height, ascending)
                    case "name": precedes(left.name.map(Bytes.init), right.name.map(Bytes.init), ascending)
                    default: precedes(left.title.map(Bytes.init), right.title.map(Bytes.init), ascending)
                    }
                if let answer { return answer }
            }
            return left.number < right.number
        }

        /// Returns whether a value comes before another one; nil if they are equal.
        private static func precedes<Value: Comparable>(
            _ left: Value?, _ right: Value?, _ ascending: Bool
        ) -> Bool? {
            if left == right { return nil }
            guard let left else { return ascending }
            guard let right else { return !ascending }
            return (left < right) == ascending
        }
    }

    /// The bytes of a string, which are compared one by one.
    private struct Bytes: Comparable {
        let bytes: [UInt8]

        init(_ text: String) { bytes = Array(text.utf8) }

        static func < (left: Bytes, right: Bytes) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }
}
