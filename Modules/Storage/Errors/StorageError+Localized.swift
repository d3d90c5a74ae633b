public import Foundation

extension StorageError: LocalizedError {
    /// What went wrong, which one, what to do: the same as ``description``.
    public var errorDescription: String? { description }
}
