/// The error of a storage operation: the codes, and the format of the one-line and the debug description.
///
/// ```swift
/// if error.storageError?.code == .uniqueViolation { print("The address is in use.") }
/// ```
///
/// A program finds the error in `CoreStoreError.storageError`. The store sets the code and the message, and the core
/// adds the store, the operation and the entity. `description` is one line: the problem, the object or file, and the
/// solution. `debugDescription` is a tree with the same content and the cause.
public struct StorageError: Error, Sendable {
    /// The kind of the error, for programs that handle some errors.
    ///
    /// Later versions may add more cases.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Two rows would have the same values in a unique constraint.
        case uniqueViolation
        /// Another transaction has deleted a row that the commit changes, or has changed data that must be unchanged.
        case conflict
        /// Another process held the store for longer than the configured time.
        case busy
        /// The store cannot be written.
        case readOnly
        /// The file or database is damaged.
        case corrupt
        /// The file or database is not a store of Coffer.
        case foreign
        /// The place of the store does not exist or cannot be used.
        case unavailable
        /// The storage is full.
        case full
        /// The store holds data of another model.
        case schemaMismatch
        /// The model contradicts itself.
        case invalidModel
        /// The request names an element that the model does not have, or compares values that cannot be compared.
        case invalidRequest
        /// The store is not open.
        case closed
        /// The store does not support the operation.
        case unsupported
        /// A value does not fit its attribute.
        case invalidValue
        /// The driver failed, and no other code fits.
        case failed
        /// The URL or the options of the store are wrong.
        case invalidConfiguration
        /// The outcome of a commit is unknown: all changes were saved, or none.
        ///
        /// The connection was lost or the disk failed during the commit, or the answer does not show the outcome.
        ///
        /// After every other error of a commit, none of the changes were saved.
        case unknownOutcome
    }

    /// The kind of the error, which programs can handle.
    public var code: Code
    /// The problem, the object or file, and the solution, as sentences.
    public var message: String
    /// The operation, such as "insert", "fetch" or "open".
    public var operation: String?
    /// The description of the store, without secrets.
    public var store: String?
    /// Further facts, in the order of their display.
    public var context: [(name: String, value: String)]
    /// Whether the same call may succeed if the program repeats it unchanged.
    ///
    /// A repeated `perform` runs its closure again, and the closure fetches again, so a `conflict` of `perform` is
    /// retryable. A `conflict` of `commit` is not retryable, because the same changes conflict again. This is true for
    /// a store (``StorageInterface/commit(_:)``), and for an unsafe transaction until the program has fetched again.
    public var isRetryable: Bool
    /// The driver's own message.
    public var cause: String?
    /// The objects of a `conflict` with both versions, if an option of the transaction requests them.
    ///
    /// No description contains the values of these objects.
    public package(set) var conflicts: [WriteConflict] = []

    /// The constraints that a `uniqueViolation` would break.
    public var violatedConstraints: [ViolatedConstraint] = []

    /// Creates an error with the facts that the store knows; the core adds the others.
    public init(
        _ code: Code, _ message: String, operation: String? = nil, store: String? = nil,
        context: [(name: String, value: String)] = [], isRetryable: Bool = false, cause: String? = nil
    ) {
        self.code = code
        self.message = message
        self.operation = operation
        self.store = store
        self.context = context
        self.isRetryable = isRetryable
        self.cause = cause
    }

    /// The model contradicts itself.
    public static func invalidModel(_ message: String) -> StorageError { .init(.invalidModel, message) }

    /// The request names an element that the model does not have, or compares values that cannot be compared.
    public static func invalidRequest(_ message: String) -> StorageError { .init(.invalidRequest, message) }

    /// The URL or the options of the store are wrong.
    public static func invalidConfiguration(_ message: String) -> StorageError { .init(.invalidConfiguration, message) }

    /// Returns the same error, with the operation and the store if they are missing in it.
    public func adding(operation: String? = nil, store: String? = nil) -> StorageError {
        var error = self
        error.operation = error.operation ?? operation
        error.store = error.store ?? store
        return error
    }
}

extension StorageError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The problem, the object or file, and the solution, in one line.
    public var description: String {
        let place = [operation, store].compactMap(\.self).joined(separator: ", ")
        guard !place.isEmpty else { return "\(code): \(message)" }
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        return "\(code): \(sentence) (\(place))."
    }

    /// A tree with all known facts of the error.
    public var debugDescription: String {
        var branches: [(name: String, value: String)] = [("Reason", message)]
        if let operation { branches.append(("Operation", operation)) }
        if let store { branches.append(("Store", store)) }
        branches += context
        if isRetryable { branches.append(("Retryable", "yes")) }
        if let cause { branches.append(("Cause", cause)) }
        let lines = branches.enumerated().map { index, branch in
            "\(index == branches.count - 1 ? "└─" : "├─") \(branch.name): \(branch.value)"
        }
        return (["StorageError: \(code)"] + lines).joined(separator: "\n")
    }
}
