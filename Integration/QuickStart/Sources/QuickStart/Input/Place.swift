import Coffer
import CofferConfiguration
import Foundation

/// Where the data are kept: one string decides.
struct Place {
    private let configuration: StorageConfiguration

    init(_ text: String) throws {
        do {
            configuration = try StorageConfiguration(text)
        } catch {
            throw QuickStartError(Self.advice(for: text) ?? error.message, exitCode: 2)
        }
    }

    /// What was probably meant by something that is no URL.
    private static func advice(for text: String) -> String? {
        guard !text.contains(":"), !text.hasPrefix("-"), text.contains(where: { $0 != "/" }) else { return nil }
        let meant = text == "memory" ? "memory:" : "sqlite://\(URL(fileURLWithPath: text).path)"
        return "'\(text)' is not a place. Did you mean \(meant)?"
    }

    /// Whether what is there outlives the stack.
    var isLasting: Bool { configuration.url.scheme != "memory" }

    /// The size of the file, where it is one.
    var fileSize: Int? {
        guard let path = try? configuration.url.path() else { return nil }
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// A new stack with its storage added.
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
