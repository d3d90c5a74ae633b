public import Foundation

/// Conforms `CoreStoreError` to `LocalizedError`, so that Foundation returns its message.
extension CoreStoreError: LocalizedError {
    /// The problem, the object or file, and the solution: the same as ``description``.
    public var errorDescription: String? { description }
}
