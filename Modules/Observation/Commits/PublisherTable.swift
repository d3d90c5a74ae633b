import CofferStorage

/// The table of object publishers in use: one for each object and class.
final class PublisherTable: Sendable {
    private struct Weak {
        weak var publisher: AnyObject?
    }

    private struct Content {
        /// The publishers of each object, by class.
        var publishers: [ObjectID: [ObjectIdentifier: Weak]] = [:]
        var sweepAt = 256
    }

    private let content = Locked(Content())

    /// Moves the publishers of one object to another object, which keeps its own publishers in use.
    func move(_ id: ObjectID, to other: ObjectID) {
        content.withLock { content in
            guard let moved = content.publishers.removeValue(forKey: id) else { return }
            content.publishers[other, default: [:]].merge(moved) { known, moved in
                known.publisher == nil ? moved : known
            }
        }
    }

    /// Discards the last snapshots of the publishers of some objects.
    func forgetSnapshots(of ids: @autoclosure () -> Set<ObjectID>) {
        guard !content.withLock(\.publishers.isEmpty) else { return }
        let ids = ids()
        let publishers = content.withLock { content in
            ids.flatMap { content.publishers[$0]?.values.compactMap(\.publisher) ?? [] }
        }
        for publisher in publishers { (publisher as? any SnapshotKeeper)?.forgetSnapshot() }
    }

    /// Returns the publisher of a class for an object; creates a publisher if none is in use.
    func publisher<Publisher: AnyObject>(_ id: ObjectID, _ make: () -> Publisher) -> Publisher {
        content.withLock { content in
            let type = ObjectIdentifier(Publisher.self)
            if let known = content.publishers[id]?[type]?.publisher as? Publisher { return known }
            if content.publishers.count >= content.sweepAt {
                content.publishers = content.publishers.filter { $0.value.contains { $0.value.publisher != nil } }
                content.sweepAt = max(256, content.publishers.count * 2)
            }
            let made = make()
            content.publishers[id, default: [:]][type] = Weak(publisher: made)
            return made
        }
    }
}

/// A publisher of an object of any class.
protocol SnapshotKeeper: AnyObject {
    /// Discards the last snapshot.
    func forgetSnapshot()
}
