/// W4e: N/2 distinct people in random order, found by email with one fetch each, in one transaction.
struct FetchByEmail<Subject: Peer>: Workload {
    private let subject: Subject
    private let emails: [String]
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
        emails = FetchByIdentifier<Subject>.chosen(of: PersonSample.make(count).map(\.email))
    }

    mutating func measure() throws {
        digest = try subject.digestOfPeople(withEmails: emails)
    }

    func check() -> Int { digest }
}
