public import CofferStorage
public import CofferStorageTools
public import Foundation

/// The version lock of a schema: the version hashes of its entities, as a literal and as printed text.
///
/// ```swift
/// let schema = CoreStoreSchema(
///     modelVersion: "V1",
///     entities: [Entity<Person>("Person")],
///     versionLock: ["Person": [0x1b4f, 0x2c5e, 0x3d6a, 0x4e7b]]
/// )
/// ```
///
/// Begin with an empty lock, `[:]`: the message of the failed assertion contains the lock to write. If a later change
/// of the model changes a hash, an assertion fails. A hash is the same on each platform and for each version of Swift;
/// `docs/version-locks.md` describes it.
public struct VersionLock: ExpressibleByDictionaryLiteral, Equatable, Sendable, CustomStringConvertible {
    /// A quarter of a hash.
    public typealias HashElement = UInt64
    /// The name of an entity.
    public typealias Key = EntityName
    /// The entity's version hash.
    public typealias Value = [HashElement]

    /// The hash of each entity, 32 bytes.
    public let hashesByEntityName: [EntityName: Data]

    /// Creates a lock from four words for each entity.
    public init(_ intArrayByEntityName: [EntityName: [HashElement]]) {
        hashesByEntityName = intArrayByEntityName.mapValues { words in
            Data(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } })
        }
    }

    /// Creates a lock that was written by hand or printed earlier: a hash for each entity.
    public init(dictionaryLiteral elements: (EntityName, [HashElement])...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }

    init(_ hashes: [EntityName: Data]) { hashesByEntityName = hashes }

    /// Whether the lock has the same entities as another lock, but other hashes for all of them.
    ///
    /// A lock with the hashes of Core Data is such a lock.
    func isForeign(beside actual: VersionLock) -> Bool {
        !hashesByEntityName.isEmpty && Set(hashesByEntityName.keys) == Set(actual.hashesByEntityName.keys)
            && hashesByEntityName.allSatisfy { actual.hashesByEntityName[$0.key] != $0.value }
    }

    /// The lock as a Swift literal.
    public var description: String {
        guard !hashesByEntityName.isEmpty else { return "[:]" }
        let lines = hashesByEntityName.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { name, hash in "    \(name.debugDescription): [\(Self.words(of: hash).joined(separator: ", "))]" }
        return "[\n\(lines.joined(separator: ",\n"))\n]"
    }

    private static func words(of hash: Data) -> [String] {
        let bytes = [UInt8](hash)
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            let word = bytes[start..<min(start + 8, bytes.count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return "0x" + String(word, radix: 16)
        }
    }
}

extension VersionLock: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The lock as a Swift literal.
    public var coreStoreDumpString: String { description }
}
