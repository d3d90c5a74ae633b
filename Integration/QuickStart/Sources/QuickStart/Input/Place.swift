import Coffer
import CofferConfiguration
import Foundation

/// The storage configuration that one string defines.
struct Place {
    private let configuration: StorageConfiguration

    init(_ text: String) throws {
        do {
            configuration = try StorageConfiguration(text)
        } catch {
            throw QuickStartError(Self.advice(for: text) ?? error.message, exitCode: 2)
        }
    }

    /// Returns advice for a string that is not a URL; nil if there is no advice.
    private static func advice(for text: String) -> String? {
        guard !text.contains(":"), !text.hasPrefix("-"), text.contains(where: { $0 != "/" }) else { return nil }
        let meant = text == "memory" ? "memory:" : "sqlite://\(URL(fileURLWithPath: text).path)"
        return "'\(text)' is not a place. Did you mean \(meant)?"
    }

    /// Whether the data outlive the stack.
    var isLasting: Bool { configuration.url.scheme != "memory" }

    /// The size of the file; nil if the store is not a file.
    var fileSize: Int? {
        guard let path = try? configuration.url.path() else { return nil }
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// Returns a new stack with the storage.
    func open() throws -> DataStack {
        let stack = DataStack(Atlas.schema())
        do {
            try stack.addStorageAndWait(try configuration.makeStorage())
        } catch let error as StorageError where error.code == .invalidConfiguration {
            throw QuickStartError(error.message, exitCode: 2)
        }
        return stack
    }

    var description: String { configuration.description }
}
