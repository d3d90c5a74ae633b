/// W9: N/50 transactions of one insert, into an empty table.
struct CommitOneByOne<Subject: Peer>: Workload {
    private let subject: Subject
    private let samples: [PersonSample]

    init(on subject: Subject, count: Int) {
        self.subject = subject
        samples = PersonSample.make(count / 50)
    }

    mutating func measure() throws {
        for sample in samples {
            try subject.insertAlone(sample)
        }
    }

    func check() throws -> Int {
        try subject.tally().digest
    }
}
