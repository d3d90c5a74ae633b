/// W8f: find each of N/2 people by email, then change the score or create the person, in one transaction.
///
/// Half of these people exist among the N stored people.
struct ImportPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private let samples: [PersonSample]

    init(on subject: Subject, count: Int) {
        self.subject = subject
        samples = Self.samples(for: count)
    }

    mutating func measure() throws {
        try subject.importPeople(samples)
    }

    func check() throws -> Int {
        try subject.tally().digest
    }

    /// Returns every fourth person with another score, and the same number of new people.
    static func samples(for count: Int) -> [PersonSample] {
        let known = PersonSample.make(count)
        let unknown = PersonSample.make(count / 4, seed: 2)
        return unknown.indices.flatMap { [known[$0 * 4].raised(by: 1.5), unknown[$0].raised(by: 0)] }
    }
}
