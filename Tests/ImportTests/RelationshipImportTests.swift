import Coffer
import TestSupport
import Testing

/// Imports of sources that refer to each other: first all objects, then their relationships.
@MainActor
struct RelationshipImportTests {
    private typealias Member = Club.Member

    /// A member whose source names others by their numbers.
    private struct Line {
        let number: Int
        let mentor: Int?
        var friends: [Int] = []

        var source: Club.Source { Club.Source(number: number, name: "m\(number)") }
    }

    private func relate(_ lines: [Line], _ transaction: BaseDataTransaction) throws {
        let lines = Dictionary(lines.map { ($0.number, $0) }, uniquingKeysWith: { _, last in last })
        let sources = lines.values.sorted { $0.number < $1.number }.map(\.source)
        try transaction.importRelationship(
            From<Member>(), sourceArray: sources, to: From<Member>(), uniqueID: { lines[$0.number ?? 0]?.mentor }
        ) { member, mentor, _ in member.mentor = mentor }
        try transaction.importRelationship(
            From<Member>(), sourceArray: sources, to: From<Member>(),
            uniqueIDs: { lines[$0.number ?? 0]?.friends ?? [] }
        ) { member, friends, source in
            #expect(member.number == source.number)
            member.friends = Set(friends)
        }
    }

    private func described(_ source: any FetchableSource) throws -> [String] {
        try source.fetchAll(From<Member>().orderBy(.ascending(\.$number))).map { member in
            "\(member.number) \(member.mentor?.number ?? 0) \(member.friends.map(\.number).sorted())"
        }
    }

    @Test(.pins("IMP-12"), arguments: TestBackend.allCases)
    func `imported relationships can refer to later objects, cycles and stored objects`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        let lines = [
            Line(number: 4, mentor: 5, friends: [5, 6, 1]), .init(number: 5, mentor: 6),
            .init(number: 6, mentor: 4, friends: [6]), .init(number: 7, mentor: 3, friends: [99, 2]),
            .init(number: 8, mentor: 99), .init(number: 9, mentor: nil),
        ]
        try test.stack.perform(synchronous: { transaction throws in
            _ = try transaction.importUniqueObjects(Into<Member>(), sourceArray: lines.map(\.source))
            // A source without an object is omitted.
            try relate(lines + [Line(number: 50, mentor: 1)], transaction)
        })
        #expect(
            try described(test.stack) == [
                "1 0 []", "2 0 []", "3 0 []", "4 5 [1, 5, 6]", "5 6 []", "6 4 [6]", "7 3 [2]", "8 0 []", "9 0 []",
            ])
    }

    @Test(.pins("IMP-12"), arguments: TestBackend.allCases)
    func `a source does not find the objects of later sources, but a second pass does`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        let sources = [(4, 5), (5, 4)].map { (number: Int, mentor: Int) -> Club.Source in
            var source = Club.Source(number: number, name: "m\(number)")
            source.then = { member, transaction in
                member.mentor = try transaction.fetchOne(From<Member>().where(\.$number == mentor))
                journal.note("\(number) \(member.mentor?.number ?? 0)")
            }
            return source
        }
        try test.stack.perform(synchronous: { transaction throws in
            for _ in 1...2 { _ = try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources) }
        })
        #expect(journal.calls == ["4 0", "5 4", "4 5", "5 4"])
        #expect(try described(test.stack) == ["1 0 []", "2 0 []", "3 0 []", "4 5 []", "5 4 []"])
    }

    @Test(.pins("IMP-12"), arguments: TestBackend.allCases)
    func `related objects are found with as many requests for 200 sources as for one`(
        _ backend: TestBackend
    ) throws {
        func requests(_ count: Int) throws -> [String] {
            let probed = try ProbedStack(backend, Club.schema)
            let lines = (1...count).map { Line(number: $0, mentor: $0 % count + 1, friends: [1, $0]) }
            try probed.stack.perform(synchronous: { transaction throws in
                _ = try transaction.importUniqueObjects(Into<Member>(), sourceArray: lines.map(\.source))
            })
            _ = probed.store.takeRequests()
            try probed.stack.perform(synchronous: { transaction throws in
                try relate(lines, transaction)
                _ = try described(transaction)
            })
            return probed.store.takeRequests().map { $0.prefix { !$0.isNumber }.description }
        }
        #expect(try requests(200) == requests(1))
    }

    @Test(.pins("IMP-12"), arguments: TestBackend.allCases)
    func `errors of the closures and of reads reach the caller`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, Club.schema)
        try probed.stack.perform(synchronous: { Club.fill($0) })
        let sources = [Club.Source(number: 1), .init(number: 2)]
        let transaction = probed.stack.beginUnsafe()
        #expect(throws: Refusal(method: "uniqueID")) {
            try transaction.importRelationship(
                From<Member>(), sourceArray: sources, to: From<Member>(),
                uniqueID: { _ in throw Refusal(method: "uniqueID") }
            ) { _, _, _ in }
        }
        #expect(throws: Refusal(method: "relate")) {
            try transaction.importRelationship(
                From<Member>(), sourceArray: sources, to: From<Member>(), uniqueID: { $0.number }
            ) { _, _, _ in throw Refusal(method: "relate") }
        }
        for reads in 0...1 {
            probed.store.fail(.read, after: reads)
            let error = #expect(throws: CoreStoreError.self) {
                try transaction.importRelationship(
                    From<Member>(), sourceArray: sources, to: From<Member>(), uniqueID: { $0.number }
                ) { _, _, _ in }
            }
            #expect(error?.storageError?.message == "The disk is on fire.")
        }
        #expect(!transaction.hasChanges)
    }
}
