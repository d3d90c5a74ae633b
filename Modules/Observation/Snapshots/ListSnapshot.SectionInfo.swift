public import CofferStorage

/// Defines a section of a list snapshot: a collection of publishers.
extension ListSnapshot {
    /// One section of a snapshot: a collection of publishers.
    public struct SectionInfo: Hashable, RandomAccessCollection {
        /// A publisher of an item.
        public typealias Element = ObjectPublisher<O>
        /// An index of the section.
        public typealias Index = Int

        /// The name of the section.
        public let sectionID: SectionID
        /// The ids of the section's items.
        public let itemIDs: [ItemID]
        let makePublisher: (ObjectID) -> ObjectPublisher<O>

        /// The index of the first item.
        public var startIndex: Index { 0 }
        /// The index after the last item.
        public var endIndex: Index { itemIDs.count }
        /// The item at an index.
        public subscript(position: Int) -> ObjectPublisher<O> { makePublisher(itemIDs[position]) }

        /// Returns whether both sections have the same name and items.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.sectionID == rhs.sectionID && lhs.itemIDs == rhs.itemIDs
        }

        /// Hashes the name and the items.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(sectionID)
            hasher.combine(itemIDs)
        }
    }
}
