/// What the context of an object records about it.
package struct ObjectState: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Made only to evaluate key paths; has no values.
    package static let meta = ObjectState(rawValue: 1 << 0)
    /// The row is a private copy and may be written in place.
    package static let isWritable = ObjectState(rawValue: 1 << 1)
    /// Created in this context and not saved yet.
    package static let isInserted = ObjectState(rawValue: 1 << 2)
    /// Changed in this context and not saved yet.
    package static let isUpdated = ObjectState(rawValue: 1 << 3)
    /// Deleted in this context, or its row is gone.
    package static let isDeleted = ObjectState(rawValue: 1 << 4)
    /// Each write must be told to the context.
    package static let isWatched = ObjectState(rawValue: 1 << 5)
}
