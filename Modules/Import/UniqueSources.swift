import CofferClauses
import CofferSchema
import CofferStorage
import CofferTransactions

/// Sources by their unique ids.
///
/// Of several sources with one id, the last one counts.
struct UniqueSources<O: ImportableUniqueObject> {
    struct Entry {
        let id: O.UniqueIDType
        /// The id as the stores compare it.
        ///
        /// Ids that are equal in Swift, such as two forms of one text, may have different keys.
        let key: Value
        /// Nil if the caller's closure has dropped the id.
        var source: O.ImportSource?
    }

    /// Finds the objects with the ids.
    let lookup: AttributeLookup<O>
    /// In the order in which the ids occur first.
    private(set) var entries: [Entry] = []
    /// The indexes of the entries by their keys.
    private var places: [Value: Int] = [:]

    /// Asks the class for the ids of sources, and leaves out those without one.
    ///
    /// - Throws: the first error of `uniqueID(from:in:)`; ``CoreStoreError`` if the class has no attribute for the id.
    init<S: Sequence<O.ImportSource>>(_ from: From<O>, _ sources: S, in transaction: BaseDataTransaction) throws {
        lookup = try AttributeLookup(from, from.entityClass.uniqueIDKeyPath, in: transaction._graph)
        entries.reserveCapacity(sources.underestimatedCount)
        places.reserveCapacity(sources.underestimatedCount)
        for source in sources {
            guard let id = try from.entityClass.uniqueID(from: source, in: transaction) else { continue }
            let key = lookup.key(id._queryValue)
            if let place = places[key] {
                entries[place].source = source
            } else {
                places[key] = entries.count
                entries.append(Entry(id: id, key: key, source: source))
            }
        }
    }

    /// Lets a closure replace or drop sources by their ids.
    ///
    /// Different ids may be equal in Swift, and a dictionary can have one of them only. The closure is called again with the
    /// others.
    mutating func preProcess(
        _ process: (_ mapping: [O.UniqueIDType: O.ImportSource]) throws -> [O.UniqueIDType: O.ImportSource]
    ) throws {
        var rest = Array(entries.indices)
        repeat {
            var mapping: [O.UniqueIDType: O.ImportSource] = [:]
            mapping.reserveCapacity(rest.count)
            var mapped: [Int] = []
            var others: [Int] = []
            for index in rest {
                if mapping[entries[index].id] != nil {
                    others.append(index)
                } else {
                    mapping[entries[index].id] = entries[index].source
                    mapped.append(index)
                }
            }
            mapping = try process(mapping)
            for index in mapped { entries[index].source = mapping[entries[index].id] }
            rest = others
        } while !rest.isEmpty
    }

    /// Calls a closure for each source, with the object that has its id when the closure is called.
    ///
    /// - Throws: the first error of the closure; ``CoreStoreError`` if the objects could not be looked up.
    func forEach(_ body: (_ id: O.UniqueIDType, _ source: O.ImportSource, _ object: O?) throws -> Void) throws {
        var existing: [O?] = Array(repeating: nil, count: entries.count)
        try lookup.forEachObject(entries.compactMap { $0.source == nil ? nil : $0.key }) { key, object in
            // Of several objects with one key, the first one counts.
            if let place = places[key], existing[place] == nil { existing[place] = object }
        }
        for (place, entry) in entries.enumerated() {
            guard let source = entry.source else { continue }
            try body(entry.id, source, lookup.object(entry.key, formerly: existing[place]))
        }
    }
}
