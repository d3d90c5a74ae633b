/// W4: N/2 distinct people in random order, one fetch each, in one transaction.
struct FetchByIdentifier<Subject: Peer>: Workload {
    private let subject: Subject
    private let identifiers: [Subject.Identifier]
    private var digest = 0

    init(on subject: Subject, count: Int) throws {
        self.subject = subject
        var random = RandomSource(seed: 4)
        identifiers = Array(try subject.identifiers().shuffled(using: &random).prefix(count / 2))
    }

    mutating func measure() throws {
        digest = try subject.digestOfPeople(identifiers)
    }

    func check() -> Int { digest }
}
