/// The workloads by the names of the specification.
enum WorkloadID: String, CaseIterable {
    case W1p, W1i, W2p, W2i, W2k, W3, W4, W4e, W5, W6, W7, W8, W8f, W9, W10, W11, W11n

    var title: String {
        switch self {
        case .W1p: "insert people"
        case .W1i: "insert items"
        case .W2p: "fetch people"
        case .W2i: "fetch items"
        case .W2k: "keep people"
        case .W3: "filter, order, limit"
        case .W4: "by id"
        case .W4e: "by email"
        case .W5: "change 20 %"
        case .W6: "delete 20 %"
        case .W7: "group by"
        case .W8: "create, half known"
        case .W8f: "import, half known"
        case .W9: "one-row commits"
        case .W10: "parents and children"
        case .W11: "observe N/100 people"
        case .W11n: "observe N people"
        }
    }

    var content: Content {
        switch self {
        case .W1p, .W1i, .W9: .nothing
        case .W2i: .items
        case .W10: .families
        case .W2p, .W2k, .W3, .W4, .W4e, .W5, .W6, .W7, .W8, .W8f, .W11n: .people
        case .W11: .fewPeople
        }
    }

    /// The maximum time of Coffer on SQLite, as a ratio to raw sqlite3.
    var target: Double? {
        switch self {
        case .W1p, .W1i: 0.9
        case .W2p, .W2i: 1.0
        case .W3, .W9: 1.1
        case .W4, .W8: 1.5
        case .W5, .W10: 1.3
        case .W6: 1.0
        case .W8f: 1.4
        case .W11, .W11n: 0.05
        case .W2k, .W4e, .W7: nil
        }
    }

    /// The maximum time of Coffer on PostgreSQL, as a ratio to libpq.
    var targetOnPostgreSQL: Double {
        switch self {
        case .W1p, .W1i: 2
        default: 1.5
        }
    }

    /// Returns whether a peer has this workload.
    ///
    /// A program in another language has neither lists that follow the database nor a count of its memory, and does
    /// not search by email.
    func isMeasured(on peer: String) -> Bool {
        Peers.foreign(named: peer) == nil || ![.W2k, .W4e, .W11, .W11n].contains(self)
    }

    func make<Subject: Peer>(on subject: Subject, count: Int) throws -> any Workload<Subject> {
        switch self {
        case .W1p: InsertPeople(on: subject, count: count)
        case .W1i: InsertItems(on: subject, count: count)
        case .W2p: FetchPeople(on: subject, count: count)
        case .W2i: FetchItems(on: subject, count: count)
        case .W2k: KeepPeople(on: subject, count: count)
        case .W3: FilterPeople(on: subject, count: count)
        case .W4: try FetchByIdentifier(on: subject, count: count)
        case .W4e: FetchByEmail(on: subject, count: count)
        case .W5: ChangePeople(on: subject, count: count)
        case .W6: DeletePeople(on: subject, count: count)
        case .W7: GroupPeople(on: subject, count: count)
        case .W8: UpsertPeople(on: subject, count: count)
        case .W8f: ImportPeople(on: subject, count: count)
        case .W9: CommitOneByOne(on: subject, count: count)
        case .W10: FetchFamilies(on: subject, count: count)
        case .W11, .W11n: try ObservePeople(on: subject, count: count)
        }
    }
}

extension Content {
    /// Fills an empty database.
    func fill(_ subject: some Peer, count: Int) throws {
        switch self {
        case .nothing: break
        case .fewPeople: _ = try subject.insert(PersonSample.make(count / 100))
        case .people: _ = try subject.insert(PersonSample.make(count))
        case .items: _ = try subject.insert(ItemSample.make(count))
        case .families: try subject.insert(FamilySample.make(FetchFamilies<RawPeer>.parents(for: count)))
        }
    }
}
