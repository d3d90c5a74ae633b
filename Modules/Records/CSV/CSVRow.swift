/// The fields of a row of CSV.
struct CSVRow {
    struct Field {
        let text: String
        /// Whether the field stands in quotation marks.
        ///
        /// An empty field without them is null.
        let isQuoted: Bool

        var isNull: Bool { text.isEmpty && !isQuoted }
    }

    let fields: [Field]
}

/// The header of a file of CSV.
struct CSVHeader: Sendable {
    let names: [String]
    let places: [String: Int]

    /// - Parameter places: the columns by their names; of two columns with one name, the first.
    init(_ names: [String]) {
        self.names = names
        places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
