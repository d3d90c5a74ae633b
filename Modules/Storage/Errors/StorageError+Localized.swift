public import Foundation

/// Conforms storage errors to `LocalizedError`, so that Foundation returns their message.
extension StorageError: LocalizedError {
    /// The problem, the object or file, and the solution: the same as ``description``.
    public var errorDescription: String? { description }
}
