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
        } else if text.hasPrefix(scheme + "/") {
            self = .sqlite(URL(fileURLWithPath: String(text.dropFirst(scheme.count))))
        } else {
            throw QuickStartError("'\(text)' is not a place. Give memory: or sqlite:///path.")
        }
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
        case .memory: "memory"
        case .sqlite(let file): "SQLite, \(file.path)"
        }
    }
}
