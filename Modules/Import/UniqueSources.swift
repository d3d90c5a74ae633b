public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Collects sources by unique id, keeps the last source of equal ids, and finds the objects to update.
///
/// If several sources have one id, the last source is used.
///
/// It is inlined into the program, where the classes of the sources are known: otherwise each source costs the look-up
/// of several generic types.
@usableFromInline
struct UniqueSources<O: ImportableUniqueObject> {
    /// Finds the objects with the ids.
    @usableFromInline let lookup: AttributeLookup<O>
    /// The ids in the form in which the stores compare them, in the order in which they occur first.
    ///
    /// Ids that are equal in Swift, such as two forms of one string, may have different keys.
    @usableFromInline var keys: AttributeKeys
    /// The ids by the places of their keys.
    @usableFromInline var ids: [O.UniqueIDType] = []
    /// The sources by the places of their keys.
    @usableFromInline var sources: [O.ImportSource] = []

    /// The number of ids.
    @inlinable var count: Int { ids.count }

    /// Gets the ids of the sources from the class, and leaves out sources without an id.
    ///
    /// - Throws: the first error of `uniqueID(from:in:)`; ``CoreStoreError`` if the class has no attribute for the id.
    @inlinable
    init<S: Sequence<O.ImportSource>>(_ from: From<O>, _ sources: S, in transaction: BaseDataTransaction) throws {
        lookup = try AttributeLookup(from, from.entityClass.uniqueIDKeyPath, in: transaction._graph)
        keys = lookup.makeKeys()
        let type = from.entityClass
        reserveCapacity(sources.underestimatedCount)
        for source in sources {
            guard let id = try type.uniqueID(from: source, in: transaction) else { continue }
            let (place, isNew) = keys.add(lookup.key(id._queryValue))
            if isNew {
                ids.append(id)
                self.sources.append(source)
            } else {
                self.sources[place] = source
            }
        }
    }

    @inlinable
    mutating func reserveCapacity(_ count: Int) {
        keys.reserveCapacity(count)
        ids.reserveCapacity(count)
        sources.reserveCapacity(count)
    }

    /// Lets a closure replace or drop sources by their ids.
    ///
    /// Different ids may be equal in Swift, and a dictionary can contain only one of them. The closure is called again
    /// for the others.
    mutating func preProcess(
        _ process: (_ mapping: [O.UniqueIDType: O.ImportSource]) throws -> [O.UniqueIDType: O.ImportSource]
    ) throws {
        var processed: [O.ImportSource?] = Array(repeating: nil, count: count)
        var rest = Array(ids.indices)
        repeat {
            var mapping: [O.UniqueIDType: O.ImportSource] = [:]
            mapping.reserveCapacity(rest.count)
            var mapped: [Int] = []
            var others: [Int] = []
            for index in rest {
                if mapping[ids[index]] != nil {
                    others.append(index)
                } else {
                    mapping[ids[index]] = sources[index]
                    mapped.append(index)
                }
            }
            mapping = try process(mapping)
            for index in mapped { processed[index] = mapping[ids[index]] }
            rest = others
        } while !rest.isEmpty
        keep(processed)
    }

    /// Replaces the sources, and removes the ids without a source.
    private mutating func keep(_ processed: [O.ImportSource?]) {
        let (formerKeys, formerIDs) = (keys, ids)
        (keys, ids, sources) = (lookup.makeKeys(), [], [])
        reserveCapacity(processed.count)
        for (place, source) in processed.enumerated() {
            guard let source else { continue }
            _ = keys.add(formerKeys.values[place])
            ids.append(formerIDs[place])
            sources.append(source)
        }
    }

    /// Calls a closure for each source, with the object that has its id when the closure is called.
    ///
    /// - Throws: the first error of the closure; ``CoreStoreError`` if the objects could not be looked up.
    @inlinable
    func forEach(_ body: (_ id: O.UniqueIDType, _ source: O.ImportSource, _ object: O?) throws -> Void) throws {
        let existing = try lookup.objects(keys)
        for (place, key) in keys.values.enumerated() {
            try body(ids[place], sources[place], lookup.object(key, formerly: existing[place]))
        }
    }
}
