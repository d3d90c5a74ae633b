/// W11: 100 commits of one change each, every one followed by a wait for the list of all people by name.
struct ObservePeople<Subject: Peer>: Workload {
    private static var commits: Int { 100 }

    private var people: any FollowedPeople
    private var digest = 0

    init(on subject: Subject, count: Int) throws {
        people = try subject.followPeople()
    }

    mutating func measure() throws {
        let count = people.count
        for commit in 0..<Self.commits {
            digest &+= try Int(people.addToScore(1, at: commit &* 7_919 % count) * 8)
        }
    }

    func check() -> Int { digest &+ people.count }
}
