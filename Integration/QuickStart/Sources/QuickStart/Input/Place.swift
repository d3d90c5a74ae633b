import Coffer
import CofferInMemory
import CofferSQLite
import Foundation

/// Where the data are kept: one string decides.
enum Place {
    case memory
    case sqlite(URL)

    init(_ text: String) throws {
        let scheme = "sqlite://"
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix(scheme + "/"), text.count > scheme.count + 1 {
            self = .sqlite(URL(fileURLWithPath: String(text.dropFirst(scheme.count))))
        } else {
            throw QuickStartError("'\(text)' is not a place. \(Self.advice(for: text))", exitCode: 2)
        }
    }

    /// What was probably meant.
    private static func advice(for text: String) -> String {
        if text.hasPrefix("postgres") { return "PostgreSQL is not there yet: give memory: or sqlite:///path." }
        if text == "memory" { return "Did you mean memory:?" }
        let path = ["sqlite://", "sqlite:"].first(where: text.hasPrefix).map { text.dropFirst($0.count) } ?? text[...]
        guard !text.hasPrefix("-"), path.contains(where: { $0 != "/" }) else {
            return "Give memory: or sqlite:///path."
        }
        return "Did you mean sqlite://\(URL(fileURLWithPath: String(path)).path)?"
    }

    /// A new stack with its storage added.
    func open() throws -> DataStack {
        let stack = DataStack(Atlas.schema())
        switch self {
        case .memory: try stack.addStorageAndWait(InMemoryStore())
        case .sqlite(let file): try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        }
        return stack
    }

    var description: String {
        switch self {
        case .memory: "in memory"
        case .sqlite(let file): "SQLite, \(file.path)"
        }
    }
}
