/// W4: N/2 distinct people in random order, one fetch each, in one transaction.
struct FetchByIdentifier<Subject: Peer>: Workload {
    private let subject: Subject
    private let identifiers: [Subject.Identifier]
    private var digest = 0

    init(on subject: Subject, count: Int) throws {
        self.subject = subject
        identifiers = Self.chosen(of: try subject.identifiers())
    }

    /// Returns half of the people, in random order.
    static func chosen<Identifier>(of people: [Identifier]) -> [Identifier] {
        var random = RandomSource(seed: 4)
        return Array(people.shuffled(using: &random).prefix(people.count / 2))
    }

    mutating func measure() throws {
        digest = try subject.digestOfPeople(identifiers)
    }

    func check() -> Int { digest }
}
