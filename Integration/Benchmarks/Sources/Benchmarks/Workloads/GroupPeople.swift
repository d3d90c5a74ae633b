/// W7: 100 times the count, average and highest score by age.
struct GroupPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        for _ in 0..<100 {
            digest &+= try subject.digestOfAgeGroups()
        }
    }

    func check() -> Int { digest }
}
