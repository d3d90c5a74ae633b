/// W6: load the people under 28 (a fifth) and delete each person, in one transaction.
struct DeletePeople<Subject: Peer>: Workload {
    private let subject: Subject

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        try subject.deletePeople(youngerThan: 28)
    }

    func check() throws -> Int {
        try subject.tally().digest
    }
}
