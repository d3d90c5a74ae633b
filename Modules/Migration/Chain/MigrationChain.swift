import CofferSchema
package import CofferStorage
public import CofferStorageTools

/// The migration chain of a model: the steps to newer versions; refuses loops, duplicates and branches.
///
/// ```swift
/// let stack = DataStack(schemaV1, schemaV2, migrationChain: ["V1", "V2"])
/// ```
///
/// An array is a straight line, oldest version first. A dictionary is a tree, in which several versions may migrate to
/// the same version: `["V1": "V3", "V2": "V3"]`.
///
/// If a version occurs twice, has two successors or leads back to itself, an assertion fails. If the chain names a
/// version without a schema, adding a store throws `invalidModel`.
public struct MigrationChain: Equatable, Sendable {
    package private(set) var steps: [ModelVersion: ModelVersion] = [:]
    package private(set) var versions: Set<ModelVersion> = []
    /// Whether each version has at most one successor, and no version leads back to itself.
    package private(set) var isValid = true

    /// A chain without versions.
    public init() {}

    /// A chain of one version.
    public init(_ value: String) { versions = [value] }

    /// A straight line of versions, oldest first.
    public init<T: Collection>(_ elements: T) where T.Iterator.Element == String {
        self.init(Array(zip(elements, elements.dropFirst())))
        let unique = Set(elements)
        if unique.count != elements.count { reject("A version appears twice in the migration chain.") }
        versions = unique
    }

    /// Creates a chain of pairs: a version and its successor.
    public init(_ elements: [(String, String)]) {
        for (source, destination) in elements where source != destination {
            if steps.updateValue(destination, forKey: source) != nil {
                reject("The migration chain has two steps from version '\(source)'.")
            }
            versions.formUnion([source, destination])
        }
        for (source, destination) in elements where source == destination { versions.insert(source) }
        if hasLoop { reject("The migration chain has a loop.") }
    }

    /// A tree of versions: each key migrates to its value.
    public init(_ dictionary: [String: String]) { self.init(dictionary.map { ($0.key, $0.value) }) }

    /// Whether the chain has no step.
    package var isEmpty: Bool { steps.isEmpty }

    /// The versions without a successor.
    package var leafVersions: Set<ModelVersion> { versions.subtracting(steps.keys) }

    package func contains(_ version: ModelVersion) -> Bool { versions.contains(version) }

    /// The successor of a version; nil at the end of the chain, and for a version outside the chain.
    package func nextVersionFrom(_ version: ModelVersion) -> ModelVersion? { steps[version] }

    private var hasLoop: Bool {
        steps.keys.contains { start in
            var seen: Set<ModelVersion> = [start]
            var current = start
            while let next = steps[current] {
                guard seen.insert(next).inserted else { return true }
                current = next
            }
            return false
        }
    }

    private mutating func reject(_ reason: String) {
        isValid = false
        Diagnostics.assert(false, reason)
    }
}

extension MigrationChain: CustomStringConvertible {
    /// The lines of the chain, each beginning with its oldest version: `'V1' → 'V2' → 'V3'`.
    public var description: String {
        let starts = versions.subtracting(steps.values)
        let lines = (starts.isEmpty ? versions : starts).sorted().map { start in
            var line = [start]
            while let next = line.last.flatMap(nextVersionFrom), !line.contains(next) { line.append(next) }
            return line.map { "'\($0)'" }.joined(separator: " → ")
        }
        return lines.isEmpty ? "without versions" : lines.joined(separator: ", ")
    }
}

extension MigrationChain: ExpressibleByNilLiteral, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral
{
    /// No migration.
    public init(nilLiteral: ()) { self.init() }
    /// A chain of one version.
    public init(stringLiteral value: String) { self.init(value) }
    /// A chain of one version.
    public init(extendedGraphemeClusterLiteral value: String) { self.init(value) }
    /// A chain of one version.
    public init(unicodeScalarLiteral value: String) { self.init(value) }
    /// A chain of steps from one version to another.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
    /// A chain of versions, the oldest first.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension MigrationChain: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The lines of the chain, and whether it is valid.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("versions", versions.sorted()),
            ("steps", DumpWord(description)),
            ("isValid", isValid),
        ])
    }
}
