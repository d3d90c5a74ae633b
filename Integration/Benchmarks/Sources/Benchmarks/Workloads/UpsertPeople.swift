/// W8: write N/2 people in one transaction, into the row with the same email if there is one; half of them exist among N.
struct UpsertPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private let samples: [PersonSample]

    init(on subject: Subject, count: Int) {
        self.subject = subject
        samples = ImportPeople<Subject>.samples(for: count)
    }

    mutating func measure() throws {
        try subject.upsertPeople(samples)
    }

    func check() throws -> Int {
        try subject.tally().digest
    }
}
