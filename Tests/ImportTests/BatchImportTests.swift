import Coffer
import TestSupport
import Testing

/// Imports of several objects with unique ids.
@MainActor
struct BatchImportTests {
    private typealias Member = Club.Member
    private typealias Source = Club.Source

    /// Imports sources in a synchronous transaction, and returns the result of the import.
    @discardableResult
    private func importing(_ sources: [Source], _ test: TestStack) throws -> [String] {
        try test.stack.perform(synchronous: { transaction throws in
            try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources).map { "\($0.number) \($0.name)" }
        })
    }

    @Test(.pins("IMP-06"), arguments: TestBackend.allCases)
    func `among sources with the same id, the last is imported at the position of the first`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        let sources = [(5, "Eve"), (2, "Bea"), (4, "Dan"), (5, "Ella"), (2, "Bo")].map {
            Source(number: $0.0, name: $0.1, journal: journal)
        }
        #expect(try importing(sources + [Source(number: nil)], test) == ["5 Ella", "2 Bo", "4 Dan"])
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bo", "3 Cat", "4 Dan", "5 Ella"])
        #expect(
            journal.calls == [
                "uniqueID 5 Eve", "uniqueID 2 Bea", "uniqueID 4 Dan", "uniqueID 5 Ella", "uniqueID 2 Bo",
                "shouldInsert 5 Ella", "didInsert 5 Ella", "shouldUpdate 2 Bo", "update 2 Bo", "shouldInsert 4 Dan",
                "didInsert 4 Dan",
            ])
    }

    @Test(.pins("IMP-06"), arguments: TestBackend.allCases)
    func `a batch without sources imports nothing`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        #expect(try importing([], test) == [])
        #expect(try importing([Source(number: nil)], test) == [])
    }

    @Test(.pins("IMP-07"), arguments: TestBackend.allCases)
    func `preProcess is called once with all sources and can replace and drop sources`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        try test.stack.perform(synchronous: { transaction throws in
            let sources = [(4, "Dan"), (1, "Amy"), (2, "Bea"), (4, "Dora")].map { Source(number: $0.0, name: $0.1) }
            let members = try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources) { mapping in
                let sorted = mapping.sorted { $0.key < $1.key }
                journal.note(sorted.map { "\($0.key) \($0.value.name)" }.joined(separator: ", "))
                #expect(!transaction.hasChanges)
                var mapping = mapping
                mapping[2] = nil
                mapping[1]?.name = "Ada"
                mapping[7] = Source(number: 7, name: "Guy")
                return mapping
            }
            #expect(members.map(\.name) == ["Dora", "Ada"])
        })
        #expect(journal.calls == ["1 Amy, 2 Bea, 4 Dora"])
        #expect(try Club.members(test.stack) == ["1 Ada", "2 Bob", "3 Cat", "4 Dora"])
    }

    @Test(.pins("IMP-07"), arguments: TestBackend.allCases)
    func `an error of preProcess or of an id ends the import before anything is created`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        try test.stack.perform(synchronous: { transaction throws in
            #expect(throws: Refusal(method: "preProcess")) {
                try transaction.importUniqueObjects(Into<Member>(), sourceArray: [Source(number: 4)]) { _ in
                    throw Refusal(method: "preProcess")
                }
            }
            #expect(throws: Refusal(method: "uniqueID")) {
                let sources = [Source(number: 4), .init(number: 5, fails: .uniqueID)]
                _ = try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources)
            }
            #expect(!transaction.hasChanges)
        })
    }

    @Test(.pins("IMP-08"), arguments: TestBackend.allCases)
    func `refused ids are left out, and the methods of the class are called once for each id`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        let sources = [
            Source(number: 1, name: "a", refuses: .shouldUpdate), .init(number: 4, name: "d", refuses: .shouldInsert),
            .init(number: 2, name: "b"), .init(number: 1, name: "aa", refuses: .shouldUpdate, journal: journal),
            .init(number: 4, name: "dd", refuses: .shouldInsert, journal: journal),
        ]
        #expect(try importing(sources, test) == ["2 b"])
        #expect(journal.calls == ["uniqueID 1 aa", "uniqueID 4 dd", "shouldUpdate 1 aa", "shouldInsert 4 dd"])
        #expect(try Club.members(test.stack) == ["1 Ann", "2 b", "3 Cat"])
    }

    @Test(.pins("IMP-02"), arguments: TestBackend.allCases)
    func `an error during an import keeps the changes in the transaction and saves nothing`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        let sources = [
            Source(number: 1, name: "Amy"), .init(number: 4, name: "Dan"),
            .init(number: 5, name: "Eve", fails: .didInsert), .init(number: 6, name: "Fay"),
        ]
        let unsafe = test.stack.beginUnsafe()
        #expect(throws: Refusal(method: "didInsert")) {
            try unsafe.importUniqueObjects(Into<Member>(), sourceArray: sources)
        }
        #expect(try Club.members(unsafe) == ["1 Amy", "2 Bob", "3 Cat", "4 Dan", "5 "])
        let error = #expect(throws: CoreStoreError.self) { try importing(sources, test) }
        guard case .userError(let thrown) = error else { throw Refusal(method: "no user error") }
        #expect(thrown as? Refusal == Refusal(method: "didInsert"))
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bob", "3 Cat"])
    }

    @Test(.pins("IMP-09"), arguments: TestBackend.allCases)
    func `an import respects objects that the methods of the class create, change and delete`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        // The first source imports another object of its class, like a source that contains another source.
        var first = Source(number: 4, name: "Dan")
        first.then = { member, transaction in
            member.mentor = try transaction.importUniqueObject(Into<Member>(), source: Source(number: 5, name: "Eve"))
            let bob = try #require(try transaction.fetchOne(From<Member>().where(\.$number == 2)))
            bob.number = 20
            transaction.delete(try transaction.fetchOne(From<Member>().where(\.$number == 3)))
        }
        let others = [(5, "Ella"), (2, "Bea"), (3, "Cleo")]
        let sources = [first] + others.map { Source(number: $0.0, name: $0.1) }
        #expect(try importing(sources, test) == ["4 Dan", "5 Ella", "2 Bea", "3 Cleo"])
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bea", "3 Cleo", "4 Dan", "5 Ella", "20 Bob"])
        #expect(try test.stack.fetchOne(From<Member>().where(\.$number == 4))?.mentor?.name == "Ella")
    }

    @Test(.pins("IMP-09"), arguments: TestBackend.allCases)
    func `a second batch finds the objects of the first`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        try test.stack.perform(synchronous: { transaction throws in
            let numbers = 1...100
            let first = try transaction.importUniqueObjects(
                Into<Member>(), sourceArray: numbers.map { Source(number: $0, name: "a") })
            first[99].number = 200
            transaction.delete(first[98])
            let second = try transaction.importUniqueObjects(
                Into<Member>(), sourceArray: numbers.map { Source(number: $0, name: "b") })
            #expect(second[..<98] == first[..<98])
            #expect(!second.contains(first[99]) && !second.contains(first[98]))
        })
        let members = try test.stack.fetchAll(From<Member>().orderBy(.ascending(\.$number)))
        #expect(members.map(\.number) == Array(1...100) + [200])
        #expect(members.map(\.name) == Array(repeating: "b", count: 100) + ["a"])
    }

    @Test(.pins("IMP-10"), arguments: TestBackend.allCases)
    func `one request finds the objects of 50,000 ids`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, Club.schema)
        try probed.stack.perform(synchronous: { Club.fill($0) })
        _ = probed.store.takeRequests()
        try probed.stack.perform(synchronous: { transaction throws in
            let sources = (1...50_000).map { Source(number: $0, name: "a", refuses: $0 > 4 ? .shouldInsert : nil) }
            let members = try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources)
            #expect(members.map(\.number) == [1, 2, 3, 4])
            #expect(probed.store.takeRequests().filter { !$0.hasPrefix("reserve") } == ["rows Member"])
        })
        #expect(try Club.members(probed.stack) == ["1 a", "2 a", "3 a", "4 a"])
    }

    @Test(.pins("IMP-10"), arguments: TestBackend.allCases)
    func `20,000 new objects in one import take about as long as in ten imports`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        func duration(_ count: Int) throws -> Duration {
            let sources = (1...count).map { Source(number: $0, name: "a") }
            let transaction = test.stack.beginUnsafe()
            return try ContinuousClock().measure {
                // The second import finds all objects among the objects that the transaction has inserted.
                for _ in 1...2 {
                    let members = try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources)
                    #expect(members.count == count)
                }
            }
        }
        _ = try duration(100)
        var several = Duration.zero
        for _ in 1...10 { several += try duration(2_000) }
        let one = try duration(20_000)
        // If each source scanned the inserted objects, the import would take at least eight times as long.
        #expect(one < several * 4, "\(one), and \(several)")
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `a failed read in an import throws its error and ends the transaction`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, Club.schema)
        try probed.stack.perform(synchronous: { Club.fill($0) })
        let imports: [(BaseDataTransaction) throws -> Void] = [
            { _ = try $0.importUniqueObject(Into<Member>(), source: .init(number: 1, name: "Amy")) },
            { _ = try $0.importUniqueObjects(Into<Member>(), sourceArray: [.init(number: 1, name: "Amy")]) },
        ]
        for run in imports {
            probed.store.fail(.read)
            let error = #expect(throws: CoreStoreError.self) {
                try probed.stack.perform(synchronous: { transaction in try run(transaction) })
            }
            #expect(error?.storageError?.message == "The disk is on fire.")
            #expect(!probed.store.stopFailing(.read))
        }
        #expect(try Club.members(probed.stack) == ["1 Ann", "2 Bob", "3 Cat"])
    }
}
