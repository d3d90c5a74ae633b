import CofferSQL

/// Quotes the names of schemas, tables and columns, and defines their maximum length.
enum PostgreSQLIdentifier {
    /// How many bytes of a name count.
    static let sizeLimit = 63

    /// A name, quoted so that any text is a valid one.
    static func quoted(_ name: String) -> String { name.quoted(by: "\"") }
}
