/// Gives each name of a model a separate name in the database: limits its length, avoids reserved prefixes and names.
///
/// Some databases ignore case where a model does not, and some names and prefixes are reserved. The result depends only
/// on the set of names, and not on their order in the model.
public struct SQLNaming: Sendable {
    /// The maximum number of bytes of a name in the database; nil if there is no limit.
    public let limit: Int?
    /// The names of columns that the database reserves, in lower case.
    public let takenColumns: Set<String>

    private static let takenPrefixes = ["coffer_", "sqlite_", "pg_"]

    /// Creates the rules of a database; by default, the database has no rules.
    public init(limit: Int? = nil, takenColumns: Set<String> = []) {
        self.limit = limit
        self.takenColumns = takenColumns
    }

    /// Returns the name in the database for each original name.
    ///
    /// - Parameter reserved: the number of bytes to leave free.
    func names(
        for originals: some Sequence<String>, areColumns: Bool = false, reserved: Int = 0
    ) -> [String: String] {
        var names: [String: String] = [:]
        var used: Set<String> = []
        for original in Set(originals).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let lowered = original.lowercased()
            let isTaken = Self.takenPrefixes.contains { lowered.hasPrefix($0) }
            let base = isTaken || (areColumns && takenColumns.contains(lowered)) ? "_" + original : original
            var candidate = cut(base, reserved: reserved)
            var number = 2
            while !used.insert(candidate.lowercased()).inserted {
                candidate = cut(base, " \(number)", reserved: reserved)
                number += 1
            }
            names[original] = candidate
        }
        return names
    }

    /// Returns a name with an ending; shortens the name if the database limits its length.
    private func cut(_ name: String, _ ending: String = "", reserved: Int) -> String {
        guard let limit, name.utf8.count + ending.utf8.count + reserved > limit else { return name + ending }
        var cut = ""
        var room = limit - ending.utf8.count - reserved
        for scalar in name.unicodeScalars {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + ending
    }
}
