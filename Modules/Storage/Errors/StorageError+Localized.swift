public import Foundation

extension StorageError: LocalizedError {
    /// The problem, the object or file, and the solution: the same as ``description``.
    public var errorDescription: String? { description }
}
