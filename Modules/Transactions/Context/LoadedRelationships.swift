import CofferStorage

/// Whether the loaded relationships of a context still agree with the stores.
struct LoadedRelationships {
    /// Whether some object may know the members of a to-many relationship.
    var areLoaded = false
    /// Whether rows were read since that give some relationships other members.
    var areStale = false
    /// How many commits each store had seen at the last look for stale relationships.
    var seenCommits: [ObjectIdentifier: Int] = [:]
}
