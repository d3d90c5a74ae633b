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
