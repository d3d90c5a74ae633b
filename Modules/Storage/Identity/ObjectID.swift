public import Foundation

/// The permanent id of an object: its store, root entity and key, and its URI.
///
/// ```swift
/// let link = person.objectID().uriRepresentation()   // coffer://2F6C…/Person/42
/// let id = stack.objectID(forURIRepresentation: link)
/// ```
///
/// Any thread may use an id. An object has its id from its creation, and a program may write the id to a file.
/// `fetchExisting` and `edit` return the object with an id, and nil if the object was deleted.
///
/// Objects of one class hierarchy share their keys, so ``entityName`` is the name of the root entity.
public struct ObjectID: Hashable, Sendable {
    @usableFromInline package let storage: UInt32
    /// The primary key within ``space``.
    public let key: Int64

    /// The id of the row with a key.
    public init(space: KeySpace, key: Int64) { self.init(storage: KeySpaceTable.number(of: space), key: key) }

    @inlinable
    package init(storage: UInt32, key: Int64) {
        self.storage = storage
        self.key = key
    }

    /// Returns the number of a key space for ``init(storage:key:)``.
    package static func storage(of space: KeySpace) -> UInt32 { KeySpaceTable.number(of: space) }

    /// The store and the entity tree in which the key is valid.
    public var space: KeySpace { KeySpaceTable.space(storage) }
    /// The name of the entity at the root of the object's inheritance tree.
    public var entityName: EntityName { space.entityName }
    /// The id of the object's store.
    public var store: UUID { space.store }
    /// Always false: keys are reserved from the store, so an id never changes.
    public var isTemporaryID: Bool { false }

    /// Returns the id as a URI of the form `coffer://<store>/<entity>/<key>`, which stays the same after a restart.
    public func uriRepresentation() -> URL {
        let space = space
        var components = URLComponents()
        components.scheme = Self.scheme
        components.host = space.store.uuidString
        components.path = "/\(space.entityName)/\(key)"
        return components.url ?? URL(filePath: "/")
    }

    /// Creates an id from the URI of ``uriRepresentation()``; nil for any other URI.
    public init?(uriRepresentation url: URL) {
        guard
            url.scheme == Self.scheme, let store = url.host().flatMap(UUID.init(uuidString:)),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        let path = components.path.dropFirst()
        guard
            let slash = path.lastIndex(of: "/"), slash > path.startIndex,
            let key = Int64(path[path.index(after: slash)...])
        else { return nil }
        self.init(space: KeySpace(store: store, entityName: String(path[..<slash])), key: key)
    }

    private static let scheme = "coffer"
}

extension ObjectID: Codable {
    /// Decodes an id from its URI.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let url = URL(string: text), let id = ObjectID(uriRepresentation: url) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not the URI of an object id.")
            )
        }
        self = id
    }

    /// Encodes the id as its URI.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uriRepresentation().absoluteString)
    }
}

extension ObjectID: CustomStringConvertible {
    /// The entity and the key: `Person#42`.
    public var description: String { "\(entityName)#\(key)" }
}
