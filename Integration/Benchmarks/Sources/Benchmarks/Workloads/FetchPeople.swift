/// W2p: fetch all people as objects and read every field.
struct FetchPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        digest = try subject.digestOfPeople()
    }

    func check() -> Int { digest }
}
