/// W8: write N/2 people in one transaction, each into the row with the same email or into a new row.
///
/// Half of these people exist among the N stored people.
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
