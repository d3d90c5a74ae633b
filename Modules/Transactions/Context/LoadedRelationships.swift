import CofferStorage

/// Records whether a context has loaded relationships, and whether other commits have made them stale.
struct LoadedRelationships {
    /// Whether some object may know the members of a to-many relationship.
    var areLoaded = false
    /// Whether rows were read since that give some relationships other members.
    var areStale = false
    /// How many commits each store had seen at the last look for stale relationships.
    var seenCommits: [ObjectIdentifier: Int] = [:]
}
