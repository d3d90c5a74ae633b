/// Gives each name of a model a name in the database that no other has.
///
/// Databases fold case where a model does not, and some prefixes are taken. The outcome depends on the set of names
/// alone, never on the order in which the model lists them.
struct SQLNaming {
    private static let takenPrefixes = ["coffer_", "sqlite_", "pg_"]

    /// The database's name of each given name.
    static func names(for originals: some Sequence<String>) -> [String: String] {
        var names: [String: String] = [:]
        var used: Set<String> = []
        for original in Set(originals).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let isTaken = takenPrefixes.contains { original.lowercased().hasPrefix($0) }
            let base = isTaken ? "_" + original : original
            var candidate = base
            var number = 2
            while !used.insert(candidate.lowercased()).inserted {
                candidate = "\(base) \(number)"
                number += 1
            }
            names[original] = candidate
        }
        return names
    }
}
