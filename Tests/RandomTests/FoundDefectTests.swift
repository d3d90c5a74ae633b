import Coffer
import CofferStorage
import CofferStorageTools
import CofferTransactions
import TestSupport
import Testing

private typealias Item = Depot.Item

/// The defects that the random run once found, each in a separate test.
@MainActor
struct FoundDefectTests {
    /// A stack with items numbered from 1.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Depot.schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 1...4 { transaction.create(Into<Item>()).number = number }
        })
        return test
    }

    private func item(_ number: Int, _ source: any FetchableSource) throws -> Item {
        try #require(try source.fetchOne(From<Item>().where(\.$number == number)))
    }

    private func problems(_ test: TestStack) throws -> [StoreProblem] {
        try test.stack._graph.stores.flatMap { try $0.storage.problems($0.layout) }
    }

    /// Returns the changes that monitors of some items report while the closure runs: "1: pupils".
    private func told(_ test: TestStack, _ numbers: [Int], during body: () throws -> Void) throws -> [String] {
        let transcripts = try numbers.map { ItemTranscript(test.stack.monitorObject(try item($0, test.stack))) }
        try body()
        return transcripts.flatMap(\.lines)
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `observers of an owner are called when a transaction removes and deletes its member`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(2, $0).mentor = try item(1, $0) })
        let mentor = try item(1, test.stack)
        #expect(mentor.pupils.map(\.number) == [2])
        let lines = try told(test, [1]) {
            try test.stack.perform(synchronous: { transaction in
                let pupil = try item(2, transaction)
                pupil.mentor = nil
                transaction.delete(pupil)
            })
        }
        #expect(lines == ["1: pupils"])
        #expect(mentor.pupils.isEmpty)
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases, [false, true])
    func `a member that is removed and added again comes last, with or without reading the order`(
        _ backend: TestBackend, isLookedAt: Bool
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            try item(1, transaction).likes = [2, 3].map { try item($0, transaction) }
        })
        let lines = try told(test, [1, 2, 3]) {
            try test.stack.perform(synchronous: { transaction in
                let (owner, member) = (try item(1, transaction), try item(2, transaction))
                if isLookedAt { #expect(owner.likes.map(\.number) == [2, 3]) }
                member.likedBy = []
                member.likedBy = [owner]
            })
        }
        #expect(try test.stack.read { try item(1, $0).likes.map(\.number) } == [3, 2])
        #expect(lines == ["1: likes"])
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a reference that a child sets and replaces does not conflict with a later deletion`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(1, $0).partner = try item(2, $0) })
        let unsafe = test.stack.beginUnsafe()
        unsafe.delete(try item(1, unsafe))
        let child = unsafe.beginUnsafe()
        let owner = try item(3, child)
        owner.partner = try item(2, child)
        owner.partner = try item(4, child)
        try child.commitAndWait()
        try test.stack.perform(synchronous: { try item(2, $0).partnerOf = nil })
        try test.stack.perform(synchronous: { $0.delete(try item(2, $0)) })
        try unsafe.commitAndWait()
        let partners = try test.stack.read {
            try $0.fetchAll(From<Item>().orderBy(.ascending(\.$number))).map(\.partner?.number)
        }
        #expect(partners == [4, nil])
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `redo after a refresh restores new objects with the references to them`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        let new = unsafe.create(Into<Item>())
        unsafe.flush {
            own.mentor = new
            own.friends = [new]
        }
        unsafe.undo()
        unsafe.refreshAndMergeAllObjects()
        unsafe.redo()
        #expect(own.mentor === new && own.friends == [new])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `deleting an object ends references from objects whose only pending changes are members`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(conflictPolicy: .throwOnConflict)
        try item(1, unsafe).friends = [try item(3, unsafe)]
        unsafe.delete(try item(2, unsafe))
        try test.stack.perform(synchronous: { try item(1, $0).mentor = try item(2, $0) })
        try unsafe.commitAndWait()
        #expect(try problems(test) == [])
        #expect(try test.stack.fetchCount(From<Item>().where(\.$mentor == nil)) == 3)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `deleting an object removes its new link to itself`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let own = try item(1, transaction)
            own.likes = [own, try item(2, transaction)]
            own.friends = [own]
            transaction.delete(own)
        })
        #expect(try problems(test) == [])
    }

    @Test(
        .pins("OBS-40"), arguments: TestBackend.allCases,
        [TransactionOptions.ConflictPolicy.lastWriterWinsPerProperty, .throwOnConflict])
    func `observers are called once for an object that two transactions delete`(
        _ backend: TestBackend, policy: TransactionOptions.ConflictPolicy
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            try item(2, transaction).mentor = try item(1, transaction)
            try item(1, transaction).friends = [try item(2, transaction)]
        })
        let unsafe = test.stack.beginUnsafe(conflictPolicy: policy)
        #expect(try item(1, unsafe).friends.count == 1)
        unsafe.delete(try item(2, unsafe))
        try test.stack.perform(synchronous: { $0.delete(try item(2, $0)) })
        #expect(try told(test, [1, 3]) { try unsafe.commitAndWait() } == [])
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `observers of an unsafe transaction are called when rollback restores a related object`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(3, unsafe)
        let other = try item(2, unsafe)
        own.partner = other
        unsafe.delete(other)
        try test.stack.perform(synchronous: { try item(3, $0).partner = try item(2, $0) })
        let transcript = ItemTranscript(unsafe.monitorObject(own))
        unsafe.refreshAndMergeAllObjects()
        #expect(own.partner == nil)
        _ = transcript.takeLines()
        unsafe.rollback()
        #expect(own.partner === other && transcript.takeLines() == ["3: partner"])
        // A link that is added and removed between two flushes is no change.
        let new = unsafe.create(Into<Item>())
        unsafe.flush()
        _ = transcript.takeLines()
        new.partnerOf = own
        unsafe.delete(new)
        unsafe.flush()
        #expect(own.partner == nil && transcript.takeLines() == ["3: partner"])
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `observers are called if undoing a deletion changes the relationship of another object`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(2, $0).partner = try item(1, $0) })
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(2, unsafe)
        own.partner = nil
        unsafe.flush()
        unsafe.delete(own)
        try test.stack.perform(synchronous: { try item(2, $0).partner = try item(3, $0) })
        unsafe.refreshAndMergeAllObjects()
        let other = try item(3, unsafe)
        let transcript = ItemTranscript(unsafe.monitorObject(other))
        #expect(other.partnerOf == nil)
        unsafe.undo()
        // The transaction ends the new partnership at its commit. Until then the other item may show the partnership.
        #expect(own.partner == nil && transcript.takeLines() == (other.partnerOf == nil ? [] : ["3: partnerOf"]))
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(3, $0).partnerOf } == nil)
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `setting a reference and deleting its object before a flush calls no observer`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let (own, doomed) = (try item(3, unsafe), try item(2, unsafe))
        let transcript = ItemTranscript(unsafe.monitorObject(own))
        #expect(doomed.children.isEmpty)
        own.parent = doomed
        unsafe.delete(doomed)
        unsafe.flush()
        #expect(own.parent == nil && transcript.takeLines() == [])
        unsafe.undo()
        let other = try item(1, unsafe)
        own.parent = other
        unsafe.flush()
        #expect(transcript.takeLines() == ["3: parent"])
        unsafe.delete(other)
        unsafe.flush()
        #expect(own.parent == nil && transcript.takeLines() == ["3: parent"])
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `the commit of an unsafe transaction reports only its own changes to observers`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        try item(1, unsafe).value = 5
        try test.stack.perform(synchronous: { try item(1, $0).mentor = try item(2, $0) })
        let lines = try told(test, [1, 2]) { try unsafe.commitAndWait() }
        #expect(lines == ["1: value"])
        #expect(try test.stack.read { try item(1, $0).mentor?.number } == 2)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases, [false, true])
    func `after a refresh, no pending change refers to an object that another transaction deleted`(
        _ backend: TestBackend, isUndone: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        try unsafe.flush {
            own.mentor = try item(2, unsafe)
            own.partner = try item(2, unsafe)
            own.friends = [try item(2, unsafe)]
            own.value = 7
        }
        if isUndone { unsafe.flush { own.title = "taken back" } }
        try test.stack.perform(synchronous: { $0.delete(try item(2, $0)) })
        unsafe.refreshAndMergeAllObjects()
        if isUndone { unsafe.undo() }
        #expect(own.mentor == nil && own.partner == nil && own.friends.isEmpty && own.value == 7)
        try unsafe.commitAndWait()
        #expect(try problems(test) == [])
        #expect(try test.stack.fetchCount(From<Item>().where(\.$value == 7 && \.$mentor == nil)) == 1)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases, ["likes", "friends"])
    func `undo and redo do not restore a link that another transaction added and removed`(
        _ backend: TestBackend, relationship: String
    ) throws {
        let test = try make(backend)
        func set(_ members: [Int], _ source: some FetchableSource) throws {
            let objects = try members.map { try item($0, source) }
            if relationship == "likes" {
                try item(1, source).likes = objects
            } else {
                try item(1, source).friends = Set(objects)
            }
        }
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        func members() -> [Int] { (relationship == "likes" ? own.likes : Array(own.friends)).map(\.number) }
        try unsafe.flush { try set([2], unsafe) }
        try test.stack.perform(synchronous: { try set([2], $0) })
        unsafe.refreshAndMergeAllObjects()
        #expect(members() == [2])
        unsafe.flush { own.value = 7 }
        try test.stack.perform(synchronous: { try set([], $0) })
        unsafe.refreshAndMergeAllObjects()
        #expect(members() == [] && own.value == 7)
        unsafe.undo()
        #expect(members() == [] && own.value == 0)
        unsafe.redo()
        #expect(members() == [] && own.value == 7)
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).likes.count + item(1, $0).friends.count } == 0)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `undoing a deletion does not restore an object that another transaction also deleted`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let new = unsafe.create(Into<Item>())
        let other = try item(2, unsafe)
        unsafe.flush {
            new.number = 5
            new.likes = [other]
        }
        unsafe.flush { unsafe.delete(other) }
        try test.stack.perform(synchronous: { $0.delete(try item(2, $0)) })
        unsafe.refreshAndMergeAllObjects()
        unsafe.undo()
        #expect(other.isDeleted && new.likes.isEmpty && new.number == 5)
        unsafe.redo()
        #expect(other.isDeleted)
        unsafe.undo()
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchAll(From<Item>().orderBy(.ascending(\.$number))).map(\.number) == [1, 3, 4, 5])
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `deleting an object keeps pending references that replace references to that object`(
        _ backend: TestBackend, throwsOnConflict: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(
            conflictPolicy: throwsOnConflict ? .throwOnConflict : .lastWriterWinsPerProperty)
        let (own, mentor) = (try item(2, unsafe), try item(1, unsafe))
        own.mentor = mentor
        own.partner = mentor
        try test.stack.perform(synchronous: { transaction in
            let other = try item(3, transaction)
            try item(2, transaction).mentor = other
            other.partnerOf = try item(2, transaction)
        })
        let other = try item(3, unsafe)
        #expect(other.pupils.isEmpty)
        unsafe.delete(other)
        #expect(own.mentor === mentor && own.partner === mentor && mentor.pupils == [own])
        if throwsOnConflict {
            #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
            unsafe.refreshAndMergeAllObjects()
        }
        try unsafe.commitAndWait()
        let found = try test.stack.read { source in
            [try item(2, source).mentor?.number, try item(2, source).partner?.number]
        }
        #expect(found == [1, 1])
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `a pending value equal to the stored value does not overwrite later saved values`(
        _ backend: TestBackend, throwsOnConflict: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(
            conflictPolicy: throwsOnConflict ? .throwOnConflict : .lastWriterWinsPerProperty)
        try item(1, unsafe).value = 1
        unsafe.delete(try item(2, unsafe))
        try test.stack.perform(synchronous: { try item(1, $0).value = 1 })
        unsafe.refreshAndMergeAllObjects()
        try test.stack.perform(synchronous: { transaction in
            try item(1, transaction).value = 2
            try item(1, transaction).mentor = try item(2, transaction)
        })
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).value } == 2)
        #expect(try test.stack.read { try item(1, $0).mentor } == nil)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a cascade does not remove members that another transaction moved to another owner`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Depot.Box>()).number = 1
            try item(2, transaction).children = [try item(3, transaction)]
        })
        let unsafe = test.stack.beginUnsafe()
        #expect(try item(2, unsafe).children.count == 1)
        unsafe.delete(try unsafe.fetchOne(From<Depot.Box>()))
        try test.stack.perform(synchronous: { transaction in
            try item(2, transaction).box = try transaction.fetchOne(From<Depot.Box>())
            try item(3, transaction).parent = try item(4, transaction)
        })
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchCount(From<Item>().where(\.$number == 2)) == 0)
        #expect(try test.stack.read { try item(3, $0).parent?.number } == 4)
    }

    @Test(.pins("FLD-46", "TX-46"), arguments: TestBackend.allCases, [false, true])
    func `the place of a member applies only to the owner for which it was set`(
        _ backend: TestBackend, isRefreshed: Bool
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            try item(1, transaction).children = [2, 3].map { try item($0, transaction) }
            try item(4, transaction).children = [try item(1, transaction)]
        })
        let unsafe = test.stack.beginUnsafe()
        try item(1, unsafe).children = [3, 2].map { try item($0, unsafe) }
        try test.stack.perform(synchronous: { transaction in
            let four = try item(4, transaction)
            try item(2, transaction).parent = four
            try item(3, transaction).parent = four
        })
        if isRefreshed { unsafe.refreshAndMergeAllObjects() }
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(4, $0).children.map(\.number) } == [1, 2, 3])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `a failed commit leaves all pending changes as they were`(
        _ backend: TestBackend, throwsOnConflict: Bool
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Depot.Box>()).number = 1
            transaction.create(Into<Depot.Shelf>()).number = 1
        })
        let unsafe = test.stack.beginUnsafe(
            conflictPolicy: throwsOnConflict ? .throwOnConflict : .lastWriterWinsPerProperty)
        let (own, other) = (try item(1, unsafe), try item(2, unsafe))
        own.partner = other
        own.value = 5
        unsafe.delete(try unsafe.fetchOne(From<Depot.Box>()))
        unsafe.delete(try unsafe.fetchOne(From<Depot.Shelf>()))
        try test.stack.perform(synchronous: { transaction in
            try item(2, transaction).box = try transaction.fetchOne(From<Depot.Box>())
            try item(3, transaction).shelf = try transaction.fetchOne(From<Depot.Shelf>())
            try item(4, transaction).mentor = try item(2, transaction)
        })
        // Deleting the box deletes its items. The shelf must not be deleted while it has items.
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(!other.isDeleted && own.partner == other && own.value == 5)
        #expect(try item(4, unsafe).mentor == other)
        try test.stack.perform(synchronous: { transaction in
            try item(2, transaction).box = nil
            try item(3, transaction).shelf = nil
        })
        unsafe.refreshAndMergeAllObjects()
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).partner?.number } == 2)
        #expect(try test.stack.read { try item(4, $0).mentor?.number } == 2)
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46", "FLD-42"), arguments: TestBackend.allCases, [false, true])
    func `a one-to-one relationship has one object on each side after concurrent changes`(
        _ backend: TestBackend, isRefreshed: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        try item(1, unsafe).partner = try item(3, unsafe)
        try test.stack.perform(synchronous: { try item(2, $0).partner = try item(3, $0) })
        if isRefreshed {
            unsafe.refreshAndMergeAllObjects()
            #expect(try item(2, unsafe).partner == nil)
        }
        let lines = try told(test, [1, 2, 3]) { try unsafe.commitAndWait() }
        #expect(lines == ["1: partner", "2: partner", "3: partnerOf"])
        let partners = try test.stack.read { source in try (1...3).map { try item($0, source).partner?.number } }
        #expect(partners == [3, nil, nil])
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `deleting an object ends relationships that another transaction has added`(
        _ backend: TestBackend, isRefreshed: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        unsafe.delete(try item(1, unsafe))
        try test.stack.perform(synchronous: { transaction in
            let other = try item(1, transaction)
            try item(2, transaction).partner = other
            try item(3, transaction).mentor = other
            try item(4, transaction).friends = [other]
        })
        if isRefreshed { unsafe.refreshAndMergeAllObjects() }
        let lines = try told(test, [2, 3, 4]) { try unsafe.commitAndWait() }
        #expect(lines == ["2: partner", "3: mentor", "4: friends"])
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `a cascade deletes an object although another deletion of the cascade reverts its change`(
        _ backend: TestBackend, throwsOnConflict: Bool
    ) throws {
        let test = try make(backend)
        let box = try #require(
            try test.stack.perform(synchronous: { transaction in
                let box = transaction.create(Into<Depot.Box>())
                box.number = 1
                return box.cs_id()
            }) as ObjectID?)
        let unsafe = test.stack.beginUnsafe(
            conflictPolicy: throwsOnConflict ? .throwOnConflict : .lastWriterWinsPerProperty)
        unsafe.delete(objectIDs: [box])
        let child = try item(3, unsafe)
        child.parent = try item(2, unsafe)
        try test.stack.perform(synchronous: { transaction in
            let other = try #require(transaction.fetchExisting(box) as Depot.Box?)
            other.items = [try item(2, transaction), try item(3, transaction)]
        })
        try unsafe.commitAndWait()
        #expect(child.isDeleted)
        #expect(try test.stack.fetchAll(From<Item>().orderBy(.ascending(\.$number))).map(\.number) == [1, 4])
        #expect(try problems(test) == [])
    }
}

/// A record of the keys that the monitor of an item reports.
private final class ItemTranscript: ObjectObserver {
    typealias ObjectEntityType = Item

    private let monitor: ObjectMonitor<Item>
    private(set) var lines: [String] = []

    init(_ monitor: ObjectMonitor<Item>) {
        self.monitor = monitor
        monitor.addObserver(self)
    }

    /// Returns the lines since the last use of this method.
    func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    func objectMonitor(
        _ monitor: ObjectMonitor<Item>, didUpdateObject object: Item, changedPersistentKeys: Set<KeyPathString>
    ) {
        lines.append("\(object.number): \(changedPersistentKeys.sorted().joined(separator: " "))")
    }
}
