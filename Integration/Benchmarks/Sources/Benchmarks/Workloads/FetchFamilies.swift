/// W10: ten times N/100 parents with their twenty children each, from the database every time.
///
/// The children of different parents were inserted in turn, so their rows are mixed.
struct FetchFamilies<Subject: Peer>: Workload {
    private let subject: Subject
    private var digest = 0

    init(on subject: Subject, count: Int) {
        self.subject = subject
    }

    static func parents(for count: Int) -> Int { count / 100 }

    mutating func measure() throws {
        for _ in 0..<10 {
            digest &+= try subject.digestOfFamilies()
        }
    }

    func check() -> Int { digest }
}
