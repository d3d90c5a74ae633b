/// A list that is fetched again after each change.
struct RawFollowedPeople: FollowedPeople {
    private let peer: RawPeer
    private let statement: RawStatement
    private var people: [RawPeer.Person]

    init(_ peer: RawPeer) throws {
        self.peer = peer
        statement = try peer.database.prepare(SQLSchema.selectPeopleByName)
        people = try peer.fetchPeople(statement)
    }

    var count: Int { people.count }

    mutating func addToScore(_ points: Double, at index: Int) throws -> Double {
        let person = people[index]
        try peer.database.transaction { try peer.write(score: person.score + points, of: person) }
        people = try peer.fetchPeople(statement)
        return people[index].score
    }
}
