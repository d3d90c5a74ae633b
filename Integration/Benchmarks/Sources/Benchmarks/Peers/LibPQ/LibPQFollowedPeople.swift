/// A list that is fetched again after each change.
struct LibPQFollowedPeople: FollowedPeople {
    private let peer: LibPQPeer
    private let select, update: LibPQStatement
    private var people: [LibPQPeer.Person]

    init(_ peer: LibPQPeer) throws {
        self.peer = peer
        select = try peer.connection.prepare(SQLSchema.selectPeopleByName)
        update = try peer.connection.prepare(
            "UPDATE person SET score = $1 WHERE id = $2", [LibPQPeer.Types.double, LibPQPeer.Types.bigint])
        people = try peer.fetchPeople(select.run())
    }

    var count: Int { people.count }

    mutating func addToScore(_ points: Double, at index: Int) throws -> Double {
        let person = people[index]
        var parameters = LibPQParameters()
        parameters.append(person.score + points)
        parameters.append(person.id)
        try peer.connection.transaction { _ = try update.run(parameters) }
        people = try peer.fetchPeople(select.run())
        return people[index].score
    }
}
