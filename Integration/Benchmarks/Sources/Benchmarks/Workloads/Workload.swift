/// One workload on one peer, ready to be measured once.
protocol Workload<Subject> {
    associatedtype Subject: Peer

    /// Makes everything the measured section needs. Not measured.
    init(on subject: Subject, count: Int) throws

    /// The measured section. Objects that must stay alive are kept in `self`.
    mutating func measure() throws

    /// The value to compare with the raw peer's. Not measured.
    func check() throws -> Int
}

/// What a database must hold before a workload starts.
enum Content: String, CaseIterable {
    case nothing, fewPeople, people, items, families
}
