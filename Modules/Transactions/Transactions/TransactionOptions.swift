public import CofferStorage

/// The options of a transaction: conflicts, isolation, unique values, and repetitions with their pauses.
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
    /// The treatment of an object that another transaction has changed since this transaction read it.
    public enum ConflictPolicy: Hashable, Sendable {
        /// The commit writes only the properties that the transaction changed, over the stored values.
        ///
        /// If two transactions change different properties, both changes are saved. If they change the same property,
        /// the later commit wins. For a to-many relationship, the commit writes only the links that the transaction
        /// added, removed and moved.
        case lastWriterWinsPerProperty
        /// If another transaction has changed the same objects, the commit throws `conflict` and saves nothing.
        ///
        /// The error contains both versions of each object, in `conflicts` of ``CoreStoreError/storageError``.
        ///
        /// The policy covers all properties of the objects that the transaction changed or deleted. It also covers the
        /// to-many relationships that the transaction set. Such a relationship must still have the same members, in the
        /// same order, as before its first change. If a relationship causes the `conflict`, the error names the
        /// relationship and contains no versions.
        case throwOnConflict
    }

    /// The guarantees for the values that a transaction has read.
    public enum IsolationLevel: Hashable, Sendable {
        /// The transaction reads one snapshot of each store, and does not see what other transactions save later.
        case snapshot
        /// The result is the same as if the transaction had run alone, at the moment of its commit.
        ///
        /// The transaction may have read objects, lists, counts and computed values from a store that it changes. If
        /// any of them has changed before the commit, the commit throws `conflict` and saves nothing.
        case serializable
    }

    /// The maximum number of repetitions of the closure.
    public struct Repetition: Hashable, Sendable {
        let limit: Int

        /// The closure runs once.
        public static let never = Repetition(limit: 0)

        /// The closure may run again if nothing was saved because of other writers or a lost connection.
        ///
        /// Each repetition uses fresh objects. The pause before a repetition grows.
        ///
        /// Other effects of the closure, outside the transaction, must be repeatable, too.
        ///
        /// - Parameter count: the maximum number of repetitions after the first run.
        public static func upTo(_ count: Int) -> Repetition { Repetition(limit: max(0, count)) }
    }

    /// The treatment of an object that another transaction has changed.
    public var conflictPolicy: ConflictPolicy
    /// The guarantees for the values that the transaction has read.
    public var isolation: IsolationLevel
    /// The maximum number of repetitions of the closure.
    public var repeatable: Repetition
    /// The policy for new objects with the unique values of other objects; nil for the constraints' policies.
    ///
    /// The policy replaces the policies of all constraints:
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

    /// Creates options that differ from the defaults in the given values.
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
    /// Returns the seconds before the next run: random, so that conflicting transactions do not conflict again.
    func pause(after repetitions: Int) -> Double {
        Double.random(in: 0.25...1) * 0.004 * Double(1 << min(repetitions, 7))
    }
}
