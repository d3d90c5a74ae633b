/// The tables of to-one relationships that the `FROM` clauses of a statement join.
///
/// The value of a path is null if one of its relationships is nil, as it is for a row that an outer join does not find. The
/// other tables are joined by their keys, so no row is repeated. Unlike a query in an expression, a join leaves the order of
/// the tables to the database.
struct SQLJoins {
    /// Databases limit the number of joined tables, and plan many of them slowly.
    private static let limit = 12

    private struct Step: Hashable {
        let owner: String
        let relationship: Int
    }

    private struct From {
        var aliases: [Step: String] = [:]
        var text = ""
    }

    private var froms: [String: From] = [:]

    /// Returns the alias of the table that a relationship of a joined table refers to; nil if it is not joined.
    func alias(_ relationship: Int, of owner: String, in from: String) -> String? {
        froms[from]?.aliases[Step(owner: owner, relationship: relationship)]
    }

    /// Joins a table to a `FROM` clause.
    ///
    /// - Parameter text: returns the join for the alias of the table.
    /// - Returns: the alias; nil if the clause has as many tables as it can have.
    mutating func join(_ relationship: Int, of owner: String, in from: String, _ text: (String) -> String) -> String? {
        var clause = froms[from] ?? From()
        guard clause.aliases.count < Self.limit else { return nil }
        // The same expression must have the same text, also in another place.
        let alias = "\(from)p\(clause.aliases.count)"
        clause.aliases[Step(owner: owner, relationship: relationship)] = alias
        clause.text += text(alias)
        froms[from] = clause
        return alias
    }

    /// Returns the joins of a `FROM` clause, which is complete; they begin with a space.
    mutating func close(_ from: String) -> String { froms.removeValue(forKey: from)?.text ?? "" }
}
