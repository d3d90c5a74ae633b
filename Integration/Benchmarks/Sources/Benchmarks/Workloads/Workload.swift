/// One workload on one peer, ready to be measured once.
protocol Workload<Subject> {
    associatedtype Subject: Peer

    /// Prepares the data of the measured section; this work is not measured.
    init(on subject: Subject, count: Int) throws

    /// The measured section. Objects that must stay alive are kept in `self`.
    mutating func measure() throws

    /// Returns the value that is compared with the value of the raw peer; this work is not measured.
    func check() throws -> Int
}

/// The content of a database before a workload starts.
enum Content: String, CaseIterable {
    case nothing, fewPeople, people, items, families
}
