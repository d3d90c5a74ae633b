public import CofferSchema
public import CofferStorage
public import CofferStorageTools
import CofferTransactions
public import Foundation

/// A snapshot of a list: the ids of its objects in sections at one moment, as a collection of publishers.
///
/// ```swift
/// for person in people.snapshot {
///     print(person.$name ?? "(deleted)")
/// }
/// ```
///
/// A snapshot is a value: later commits do not change it. A program may change its copy, for example to show a new
/// order before it saves the order. Two snapshots are equal if one is an unchanged copy of the other. The creation of a
/// snapshot takes constant time, at any length of the list.
///
/// If an index does not exist, the program stops. Use `snapshot[safeIndex: 0]` to get nil instead.
public struct ListSnapshot<O: DynamicObject>: RandomAccessCollection, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O
    /// The name of a section.
    public typealias SectionID = String
    /// The id of an item.
    public typealias ItemID = ObjectID
    /// A publisher of an item.
    public typealias Element = ObjectPublisher<O>
    /// An index of the whole list.
    public typealias Index = Int

    var items: SnapshotItems { didSet { generation = SnapshotGeneration() } }
    var generation = SnapshotGeneration()
    private weak var stack: DataStack?
    /// The ids of the items that changed in the commit of this snapshot, and of the items that were reloaded in it.
    public internal(set) var updatedItemIdentifiers: Set<ObjectID>

    init(_ tree: ListTree, _ stack: DataStack?, updated: Set<ObjectID> = []) {
        items = .observed(tree)
        self.stack = stack
        updatedItemIdentifiers = updated
    }

    /// Returns whether one snapshot is an unedited copy of the other.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.generation === rhs.generation }

    /// Hashes the identity of the snapshot.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(generation)) }

    // MARK: Collection

    /// The index of the first item.
    public var startIndex: Index { 0 }
    /// The index after the last item.
    public var endIndex: Index { items.count }

    /// The item at an index of the whole list.
    public subscript(index: Index) -> ObjectPublisher<O> { publisher(items.id(at: index)) }

    /// The item at an index of the whole list; nil if the index does not exist.
    public subscript(safeIndex index: Index) -> ObjectPublisher<O>? { indices.contains(index) ? self[index] : nil }

    /// The item at an index of a section.
    public subscript(sectionIndex: Int, itemIndex: Int) -> ObjectPublisher<O> {
        self[place(itemIndex, inSection: sectionIndex)]
    }

    /// The item at an index of a section; nil if the section or the index does not exist.
    public subscript(safeSectionIndex sectionIndex: Int, safeItemIndex itemIndex: Int) -> ObjectPublisher<O>? {
        safePlace(itemIndex, inSection: sectionIndex).map { self[$0] }
    }

    /// The item at an index path of a section and an item.
    public subscript(indexPath: IndexPath) -> ObjectPublisher<O> { self[indexPath[0], indexPath[1]] }

    /// The item at an index path of a section and an item; nil if the index path does not exist.
    public subscript(safeIndexPath indexPath: IndexPath) -> ObjectPublisher<O>? {
        indexPath.count == 2 ? self[safeSectionIndex: indexPath[0], safeItemIndex: indexPath[1]] : nil
    }

    func publisher(_ id: ObjectID) -> ObjectPublisher<O> { .of(id, in: stack) }

    /// Returns the place in the whole list of an existing place in a section.
    func place(_ itemIndex: Int, inSection sectionIndex: Int) -> Int {
        let places = items.places(ofSection: sectionIndex)
        guard itemIndex >= 0, itemIndex < places.count else {
            Diagnostics.abort("There is no item at [\(sectionIndex), \(itemIndex)]. Use 'safeSectionIndex'.")
        }
        return places.lowerBound + itemIndex
    }

    /// Returns the place of an item in the whole list; nil if the item or the section does not exist.
    func safePlace(_ itemIndex: Int, inSection sectionIndex: Int) -> Int? {
        guard sectionIndex >= 0, sectionIndex < numberOfSections else { return nil }
        let places = items.places(ofSection: sectionIndex)
        return itemIndex >= 0 && itemIndex < places.count ? places.lowerBound + itemIndex : nil
    }
}

extension ListSnapshot: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class of the objects and the number of items.
    public var description: String { "ListSnapshot<\(O.self)>(\(count) items)" }

    /// The numbers of items and sections, and the ids of the first items.
    public var coreStoreDumpString: String {
        let ids = (0..<Swift.min(count, DumpTree.elementLimit)).map { "\(items.id(at: $0))" }
        return DumpTree.text([
            ("numberOfItems", count),
            ("numberOfSections", numberOfSections),
            ("sectionIDs", sectionIDs),
            ("itemIDs", DumpWord(DumpTree.text(list: ids, count: count))),
            ("updatedItemIdentifiers", updatedItemIdentifiers),
        ])
    }
}
