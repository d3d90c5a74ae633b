import CofferSchema
import CofferStorage

/// The publishers that someone holds: one for each object and class.
final class PublisherTable: Sendable {
    private struct Key: Hashable {
        let id: ObjectID
        let type: ObjectIdentifier
    }

    private struct Weak {
        weak var publisher: AnyObject?
    }

    private struct Content {
        var publishers: [Key: Weak] = [:]
        var sweepAt = 256
    }

    private let content = Locked(Content())

    /// Moves the publishers of one object to another object that has no publishers.
    func move(_ id: ObjectID, to other: ObjectID) {
        content.withLock { content in
            for (key, publisher) in content.publishers where key.id == id {
                content.publishers[key] = nil
                let moved = Key(id: other, type: key.type)
                if content.publishers[moved]?.publisher == nil { content.publishers[moved] = publisher }
            }
        }
    }

    /// The publisher of an object, made when nobody holds one.
    func publisher<O: DynamicObject>(
        _ id: ObjectID, _ make: () -> ObjectPublisher<O>
    ) -> ObjectPublisher<O> {
        content.withLock { content in
            let key = Key(id: id, type: ObjectIdentifier(O.self))
            if let known = content.publishers[key]?.publisher as? ObjectPublisher<O> { return known }
            if content.publishers.count >= content.sweepAt {
                content.publishers = content.publishers.filter { $0.value.publisher != nil }
                content.sweepAt = max(256, content.publishers.count * 2)
            }
            let made = make()
            content.publishers[key] = Weak(publisher: made)
            return made
        }
    }
}
