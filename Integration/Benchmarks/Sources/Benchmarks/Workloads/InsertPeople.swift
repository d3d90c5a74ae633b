/// W1p: create N people and insert them in one transaction; the objects stay alive.
struct InsertPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private let samples: [PersonSample]
    private var inserted: [Subject.Person] = []

    init(on subject: Subject, count: Int) {
        self.subject = subject
        samples = PersonSample.make(count)
    }

    mutating func measure() throws {
        inserted = try subject.insert(samples)
    }

    func check() throws -> Int {
        try subject.tally().digest &+ inserted.count
    }
}
