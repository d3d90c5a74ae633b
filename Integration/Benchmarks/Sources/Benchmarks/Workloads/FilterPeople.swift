/// W3: 100 times the first N/100 people over some age, by name.
struct FilterPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private let limit: Int
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
        limit = count / 100
    }

    mutating func measure() throws {
        for round in 0..<100 {
            digest &+= try subject.digestOfPeople(olderThan: 18 + round % 40, limit: limit)
        }
    }

    func check() -> Int { digest }
}
