/// W2i: fetch all items as objects and read every field.
struct FetchItems<Subject: Peer>: Workload {
    private let subject: Subject
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    mutating func measure() throws {
        digest = try subject.digestOfItems()
    }

    func check() -> Int { digest }
}
