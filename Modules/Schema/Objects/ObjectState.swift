/// The flags of an object in its context: new, changed, deleted, observed or forwarding.
@frozen
@usableFromInline
package struct ObjectState: OptionSet, Sendable {
    @usableFromInline package var rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The object exists only to evaluate key paths, and has no values.
    @inlinable package static var meta: ObjectState { ObjectState(rawValue: 1 << 0) }
    /// The context has recorded that the object changes.
    @inlinable package static var isWritable: ObjectState { ObjectState(rawValue: 1 << 1) }
    /// The object was created in this context and is not yet saved.
    @inlinable package static var isInserted: ObjectState { ObjectState(rawValue: 1 << 2) }
    /// The object was changed in this context and is not yet saved.
    @inlinable package static var isUpdated: ObjectState { ObjectState(rawValue: 1 << 3) }
    /// The object was deleted in this context, or its row was deleted.
    @inlinable package static var isDeleted: ObjectState { ObjectState(rawValue: 1 << 4) }
    /// Each write must be reported to the context.
    @inlinable package static var isWatched: ObjectState { ObjectState(rawValue: 1 << 5) }

    /// Each assignment to a property notifies an observer.
    @inlinable package static var isObserved: ObjectState { ObjectState(rawValue: 1 << 6) }

    /// The object forwards to another object of the context, ``CoreStoreObject/canonical``.
    @inlinable package static var isForwarding: ObjectState { ObjectState(rawValue: 1 << 7) }
    /// Other objects of the context forward to this one.
    @inlinable package static var hasForwarders: ObjectState { ObjectState(rawValue: 1 << 8) }

    /// The context has added the row's values to an index, so that the next write must be reported to the context.
    @inlinable package static var isIndexed: ObjectState { ObjectState(rawValue: 1 << 9) }

    /// The row may have other owners, so it must not be written in place before ``RowReference/isUnique`` is checked.
    @inlinable package static var isShared: ObjectState { ObjectState(rawValue: 1 << 10) }

    /// The row may be written in place, and no observer is notified.
    @inlinable package var isFastWritable: Bool {
        let all =
            Self.isWritable.rawValue | Self.isWatched.rawValue | Self.isObserved.rawValue | Self.isIndexed.rawValue
            | Self.isShared.rawValue
        return rawValue & all == Self.isWritable.rawValue
    }

    /// Marks the object as an object without pending changes.
    @inlinable
    package mutating func markSaved() {
        rawValue &= ~(Self.isInserted.rawValue | Self.isUpdated.rawValue | Self.isWritable.rawValue)
    }
}
