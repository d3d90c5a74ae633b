/// W1i: create N items and insert them in one transaction; the objects stay alive.
struct InsertItems<Subject: Peer>: Workload {
    private let subject: Subject
    private let samples: [ItemSample]
    private var inserted: [Subject.Item] = []

    init(on subject: Subject, count: Int) {
        self.subject = subject
        samples = ItemSample.make(count)
    }

    mutating func measure() throws {
        inserted = try subject.insert(samples)
    }

    func check() throws -> Int {
        try subject.digestOfItems() &+ inserted.count
    }
}
