import Foundation

/// Prints values as trees, for debuggers and logs; limits a list to 20 elements.
package enum DumpTree {
    /// The maximum number of elements that a collection shows.
    package static let elementLimit = 20

    /// The fields of a value, one in each line.
    package static func text(_ fields: [(name: String, value: Any)]) -> String {
        guard !fields.isEmpty else { return "()" }
        let lines = fields.map { indented(".\($0.name) = \(text(of: $0.value));") }
        return "(\n\(lines.joined(separator: "\n"))\n)"
    }

    /// A value inside a tree.
    package static func text(of value: Any) -> String {
        // These types are named here, so that a linker also includes their conformances from an archive: a URL may
        // contain a password.
        if let url = value as? URL { return url.coreStoreDumpString }
        if let text = value as? String { return text.coreStoreDumpString }
        return (value as? any CoreStoreDebugStringConvertible)?.coreStoreDumpString ?? String(describing: value)
    }

    /// The first elements of a collection, and the number of the others.
    package static func text(list elements: some Collection<String>, count: Int? = nil) -> String {
        let count = count ?? elements.count
        var shown = Array(elements.prefix(elementLimit))
        if count > shown.count { shown.append("… \(count - shown.count) more") }
        let isShort = shown.allSatisfy { !$0.contains("\n") } && shown.reduce(0) { $0 + $1.count } <= 80
        if isShort { return "[\(shown.joined(separator: ", "))]" }
        return "[\n\(shown.map(indented).joined(separator: ",\n"))\n]"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
    }
}

/// A string that a tree shows without quotes.
package struct DumpWord: CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
