/// The header row of a CSV file: the names of the columns.
struct CSVHeader: Sendable {
    let names: [String]
    let places: [String: Int]
    /// The line of the header; the first line of a file is 1.
    let line: Int

    /// - Parameter names: the columns; if two columns have the same name, the first column is used.
    init(_ names: [String], line: Int) {
        self.names = names
        self.line = line
        places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
