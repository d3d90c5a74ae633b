/// W5: load the people under 28 (a fifth), raise the score of each person and save it, in one transaction.
struct ChangePeople<Subject: Peer>: Workload {
    private let subject: Subject

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        try subject.addToScore(1.5, ofPeopleYoungerThan: 28)
    }

    func check() throws -> Int {
        try subject.tally().digest
    }
}
