public import CofferStorage

/// The treatment of conflicts with other transactions that write the same store, in this process or another one.
///
/// ```swift
/// try await stack.async.perform(.init(isolation: .serializable, repeatable: .upTo(10))) { transaction in
///     try transaction.fetchOne(From<Person>())?.age += 1
/// }
/// ```
///
/// By default, the last writer of a property wins, and the closure runs once. If a commit fails because of a conflict,
/// it throws `internalError` with the code `conflict`, and nothing is saved. With `repeatable`, the closure runs again
/// first.
public struct TransactionOptions: Hashable, Sendable {
    /// What to do with an object that someone else has changed since the transaction read it.
    public enum ConflictPolicy: Hashable, Sendable {
        /// Only the properties that the transaction changed are written, over whatever is there.
        ///
        /// Two writers of different properties both win; of the same property the later does. Of a to-many relationship
        /// only the links that the transaction added, removed and moved are written.
        case lastWriterWinsPerProperty
        /// Nothing is saved: a `conflict` is thrown that carries both versions, in ``CoreStoreError/storageError``'s
        /// `conflicts`.
        ///
        /// About objects that the transaction changed or deleted, whichever of their properties it was, and about
        /// to-many relationships that it set: they must have the same members, in the same order, as when it changed
        /// them first. A `conflict` about a relationship names it and carries no versions.
        case throwOnConflict
    }

    /// What a transaction may rely on of what it has read.
    public enum IsolationLevel: Hashable, Sendable {
        /// It reads from one snapshot of each store; what others save meanwhile, it does not see.
        case snapshot
        /// It is saved as if it had run alone, at the moment it is saved.
        ///
        /// Whatever it has read from a store it changes, objects, lists, counts and computed values, must still be so
        /// when it is saved; otherwise nothing is saved, and a `conflict` is thrown.
        case serializable
    }

    /// How often the closure may be run again.
    public struct Repetition: Hashable, Sendable {
        let limit: Int

        /// The closure is run once.
        public static let never = Repetition(limit: 0)

        /// The closure may be run again, on objects of its own, when nothing was saved because of other writers or a
        /// lost connection; after a pause that grows.
        ///
        /// What the closure does beside the transaction must bear being done again.
        ///
        /// - Parameter count: how often at most, besides the first time.
        public static func upTo(_ count: Int) -> Repetition { Repetition(limit: max(0, count)) }
    }

    /// What to do with an object that someone else has changed.
    public var conflictPolicy: ConflictPolicy
    /// What the transaction may rely on.
    public var isolation: IsolationLevel
    /// How often the closure may be run again.
    public var repeatable: Repetition
    /// What happens to new objects whose unique values others already have, whatever the constraints say; nil for what
    /// each constraint says.
    ///
    /// ```swift
    /// try stack.perform(
    ///     synchronous: { transaction in
    ///         transaction.create(Into<Account>()).email = email
    ///     },
    ///     options: .init(uniqueConstraintPolicy: .throwError)
    /// )
    /// ```
    public var uniqueConstraintPolicy: UniqueConstraintPolicy?

    /// Options that differ from the defaults in the given values.
    public init(
        conflictPolicy: ConflictPolicy = .lastWriterWinsPerProperty, isolation: IsolationLevel = .snapshot,
        repeatable: Repetition = .never, uniqueConstraintPolicy: UniqueConstraintPolicy? = nil
    ) {
        self.conflictPolicy = conflictPolicy
        self.isolation = isolation
        self.repeatable = repeatable
        self.uniqueConstraintPolicy = uniqueConstraintPolicy
    }
}

extension TransactionOptions.Repetition {
    /// The seconds to wait before the closure is run again: random, so that those who met do not meet again.
    func pause(after repetitions: Int) -> Double {
        Double.random(in: 0.25...1) * 0.004 * Double(1 << min(repetitions, 7))
    }
}
