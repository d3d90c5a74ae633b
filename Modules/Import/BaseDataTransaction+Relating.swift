public import CofferClauses
import CofferSchema
import CofferStorage
public import CofferTransactions

/// Imports relationships: relates objects whose sources refer to each other by unique ids.
///
/// This is the second phase of an import. The first phase creates all objects, so that the order of the sources does
/// not matter:
///
/// ```swift
/// try transaction.importUniqueObjects(Into<Person>(), sourceArray: file.people)
/// try transaction.importUniqueObjects(Into<Dog>(), sourceArray: file.dogs)
///
/// try transaction.importRelationship(
///     From<Dog>(), sourceArray: file.dogs, to: From<Person>(), uniqueID: { $0.ownerID }
/// ) { dog, owner, _ in dog.owner = owner }
/// try transaction.importRelationship(
///     From<Person>(), sourceArray: file.people, to: From<Person>(), uniqueIDs: { $0.friendIDs }
/// ) { person, friends, _ in person.friends = Set(friends) }
/// ```
extension BaseDataTransaction {
    /// Finds the object that each source refers to, and passes both objects to a closure.
    ///
    /// ```swift
    /// try transaction.importRelationship(
    ///     From<Person>(), sourceArray: sources, to: From<Person>(), uniqueID: { $0.friendIDs.first }
    /// ) { person, friend, _ in
    ///     person.spouse = friend
    /// }
    /// ```
    ///
    /// Two requests to each store find any number of objects. These objects need not be a part of this import.
    ///
    /// - Parameters:
    ///   - from: the class of the objects of the sources. If a source has no object, it is left out. If several sources
    ///     have the same id, the last one is used.
    ///   - other: the class of the objects that the sources refer to.
    ///   - uniqueID: returns the unique id that a source refers to, or nil.
    ///   - relate: sets the relationship. Its second argument is nil if the source refers to no object, or if no object
    ///     has the id.
    /// - Throws: the first error of a closure or of `uniqueID(from:in:)`. If the objects cannot be looked up, the call
    ///   throws ``CoreStoreError``.
    public func importRelationship<O: ImportableUniqueObject, S: Sequence, Other: ImportableUniqueObject>(
        _ from: From<O>, sourceArray: S, to other: From<Other>,
        uniqueID: (O.ImportSource) throws -> Other.UniqueIDType?,
        _ relate: (_ object: O, _ related: Other?, _ source: O.ImportSource) throws -> Void
    ) throws where S.Iterator.Element == O.ImportSource {
        try relating(from, sourceArray, other, { try uniqueID($0).map { [$0] } ?? [] }) { object, related, source in
            try relate(object, related.first, source)
        }
    }

    /// Finds the objects that each source refers to, and passes all of them to a closure.
    ///
    /// ```swift
    /// try transaction.importRelationship(
    ///     From<Person>(), sourceArray: sources, to: From<Person>(), uniqueIDs: { $0.friendIDs }
    /// ) { person, friends, _ in
    ///     print(person.name, friends.map(\.name))
    /// }
    /// ```
    ///
    /// This method has the same rules as ``importRelationship(_:sourceArray:to:uniqueID:_:)``, but for relationships to
    /// several objects.
    ///
    /// - Parameters:
    ///   - uniqueIDs: returns the unique ids that a source refers to.
    ///   - relate: sets the relationship. Its second argument contains the existing objects, in the order of their ids.
    ///     If an id occurs twice, its object occurs twice.
    /// - Throws: the first error of a closure or of `uniqueID(from:in:)`. If the objects cannot be looked up, the call
    ///   throws ``CoreStoreError``.
    public func importRelationship<O: ImportableUniqueObject, S: Sequence, Other: ImportableUniqueObject>(
        _ from: From<O>, sourceArray: S, to other: From<Other>,
        uniqueIDs: (O.ImportSource) throws -> [Other.UniqueIDType],
        _ relate: (_ object: O, _ related: [Other], _ source: O.ImportSource) throws -> Void
    ) throws where S.Iterator.Element == O.ImportSource {
        try relating(from, sourceArray, other, uniqueIDs, relate)
    }

    private func relating<O: ImportableUniqueObject, S: Sequence<O.ImportSource>, Other: ImportableUniqueObject>(
        _ from: From<O>, _ sourceArray: S, _ other: From<Other>,
        _ uniqueIDs: (O.ImportSource) throws -> [Other.UniqueIDType],
        _ relate: (_ object: O, _ related: [Other], _ source: O.ImportSource) throws -> Void
    ) throws {
        let sources = try UniqueSources(from, sourceArray, in: self)
        let lookup = try AttributeLookup(other, other.entityClass.uniqueIDKeyPath, in: _graph)
        var keys = lookup.makeKeys()
        let places = try sources.sources.map { source in
            try uniqueIDs(source).map { keys.add(lookup.key($0._queryValue)).place }
        }
        let known = try lookup.objects(keys)
        var sourcePlace = 0
        try sources.forEach { _, source, object in
            defer { sourcePlace += 1 }
            guard let object else { return }
            let related = try places[sourcePlace].compactMap {
                try lookup.object(keys.values[$0], formerly: known[$0])
            }
            try relate(object, related, source)
        }
    }
}
