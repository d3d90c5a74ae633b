import CofferSQL

/// Quotes the names of schemas, tables and columns, and defines their maximum length.
enum PostgreSQLIdentifier {
    /// The number of bytes of a name that the server uses.
    static let sizeLimit = 63

    /// Returns a name in quotation marks, so that any string is a valid name.
    static func quoted(_ name: String) -> String { name.quoted(by: "\"") }
}
