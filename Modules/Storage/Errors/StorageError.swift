/// The error of a store.
///
/// ```swift
/// if error.storageError?.code == .uniqueViolation { print("The address is in use.") }
/// ```
///
/// A program finds it in `CoreStoreError.storageError`. The store sets the code and the message, and the core adds the
/// store, the operation and the entity. `description` is one line: the problem, the object or file, and the solution.
/// `debugDescription` is the same as a tree, with the cause.
public struct StorageError: Error, Sendable {
    /// The kind of the error, for programs that handle some errors.
    ///
    /// More cases may be added in later versions.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Two rows would have the same values in a unique constraint.
        case uniqueViolation
        /// A row that the commit changes was deleted by someone else meanwhile, or what it must find unchanged was
        /// changed.
        case conflict
        /// Another process held the store for longer than the configured time.
        case busy
        /// The store cannot be written.
        case readOnly
        /// The file or database is damaged.
        case corrupt
        /// What is there is not a store of ours.
        case foreign
        /// The place the store should be in does not exist or cannot be used.
        case unavailable
        /// There is no room left.
        case full
        /// The store holds data of another model.
        case schemaMismatch
        /// The model contradicts itself.
        case invalidModel
        /// The request names something that is not in the model, or compares what cannot be compared.
        case invalidRequest
        /// The store is not open.
        case closed
        /// The store cannot do this.
        case unsupported
        /// A stored or given value does not fit its attribute.
        case invalidValue
        /// The driver failed in a way that has no case of its own.
        case failed
        /// The URL or the options that say which store to use are wrong.
        case invalidConfiguration
        /// The connection to the store was lost or its disk failed while it committed, or the answer does not say whether it
        /// did: all changes were made, or none.
        ///
        /// Every other error of a commit means that none were.
        case unknownOutcome
    }

    /// What a program may want to tell apart.
    public var code: Code
    /// What went wrong, which one, what to do, as sentences.
    public var message: String
    /// What was being done, such as "insert", "fetch" or "open".
    public var operation: String?
    /// The store, without secrets.
    public var store: String?
    /// Further facts, in the order they should be shown.
    public var context: [(name: String, value: String)]
    /// Whether the call that threw this error may succeed if the program makes it again, unchanged.
    ///
    /// A transaction that is performed again runs its closure again, and the closure fetches again. So a `conflict` that
    /// `perform` throws is retryable. A `conflict` that `commit` throws is not: the same changes conflict again, in a
    /// store (``StorageInterface/commit(_:)``) and in an unsafe transaction, until the program has fetched again.
    public var isRetryable: Bool
    /// The driver's own words.
    public var cause: String?
    /// For a `conflict`, the objects that were changed elsewhere, with both versions, where the transaction asked to be
    /// told.
    ///
    /// Their values are in no description.
    public package(set) var conflicts: [WriteConflict] = []

    /// For a `uniqueViolation`, the constraints that would be broken.
    public var violatedConstraints: [ViolatedConstraint] = []

    /// An error with what the store knows; the core adds the rest.
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

    /// The request names something that is not in the model, or compares what cannot be compared.
    public static func invalidRequest(_ message: String) -> StorageError { .init(.invalidRequest, message) }

    /// The URL or the options that say which store to use are wrong.
    public static func invalidConfiguration(_ message: String) -> StorageError { .init(.invalidConfiguration, message) }

    /// The same error, with what the core knows filled in where the store left it out.
    public func adding(operation: String? = nil, store: String? = nil) -> StorageError {
        var error = self
        error.operation = error.operation ?? operation
        error.store = error.store ?? store
        return error
    }
}

extension StorageError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What went wrong, which one, what to do, in one line.
    public var description: String {
        let place = [operation, store].compactMap(\.self).joined(separator: ", ")
        guard !place.isEmpty else { return "\(code): \(message)" }
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        return "\(code): \(sentence) (\(place))."
    }

    /// The same as a tree, with every fact that is known.
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
