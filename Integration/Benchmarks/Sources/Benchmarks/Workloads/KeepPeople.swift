/// W2k: fetch all people and keep the objects.
struct KeepPeople<Subject: Peer>: Workload {
    private let subject: Subject
    private var people: [Subject.Person] = []

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        people = try subject.allPeople()
    }

    func check() -> Int { people.digest }
}
