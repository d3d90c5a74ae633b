/// The tables of to-one relationships that the `FROM` clauses of a statement join.
///
/// If a relationship of a path is nil, the value of the path is null, because an outer join returns nulls for a
/// missing row. The tables are joined by their keys, so no row is repeated. Unlike a query in an expression, a join
/// lets the database choose the order of the tables.
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
    /// - Returns: the alias; nil if the clause already has the maximum number of tables.
    mutating func join(_ relationship: Int, of owner: String, in from: String, _ text: (String) -> String) -> String? {
        var clause = froms[from] ?? From()
        guard clause.aliases.count < Self.limit else { return nil }
        // The same expression must have the same string everywhere in the statement.
        let alias = "\(from)p\(clause.aliases.count)"
        clause.aliases[Step(owner: owner, relationship: relationship)] = alias
        clause.text += text(alias)
        froms[from] = clause
        return alias
    }

    /// Returns the joins of a complete `FROM` clause, with a leading space.
    mutating func close(_ from: String) -> String { froms.removeValue(forKey: from)?.text ?? "" }
}
