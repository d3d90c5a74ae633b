import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// A change of an ordered relationship is reported for the changed objects and for no others.
@MainActor
struct OrderedLinkReportTests {
    /// Returns a town with Ann, her thousand friends, and Zoe.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try Town.filled(backend, ["Ann": 1, "Zoe": 2])
        try test.stack.perform(synchronous: { transaction in
            let friends = (0..<1_000).map { index in
                let friend = transaction.create(Into<Person>())
                friend.name = "f\(index)"
                return friend
            }
            try transaction.fetchOne(From<Person>().where(\.$name == "Ann"))?.friends = friends
        })
        return test
    }

    @Test(.pins("OBS-28", "FLD-46"), arguments: TestBackend.allCases)
    func `a change of one member of an ordered list of a thousand updates its owner and that member`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let monitor = test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        func updates(_ change: @escaping (inout [Person], Person) -> Void) throws -> [String] {
            try test.stack.perform(synchronous: { transaction in
                let zoe = try #require(try transaction.fetchOne(From<Person>().where(\.$name == "Zoe")))
                let ann = try #require(try transaction.fetchOne(From<Person>().where(\.$name == "Ann")))
                var friends = ann.friends
                change(&friends, zoe)
                ann.friends = friends
            })
            return transcript.take().filter { !$0.hasPrefix("will") && !$0.hasPrefix("did") }
        }
        #expect(try updates { $0.append($1) } == ["update Ann @0,0", "update Zoe @0,1"])
        #expect(try updates { friends, _ in friends.insert(friends.removeLast(), at: 500) } == ["update Ann @0,0"])
        #expect(
            try updates { friends, zoe in friends.removeAll { $0 === zoe } } == ["update Ann @0,0", "update Zoe @0,1"])
        #expect(try updates { friends, _ in _ = friends } == [])
        // After a few dozen insertions at one place, no gap is left. Members that are moved to make room do not count
        // as changed.
        for _ in 0..<20 {
            #expect(try updates { $0.insert($1, at: 1) } == ["update Ann @0,0", "update Zoe @0,1"])
            #expect(try updates { friends, _ in friends.insert(friends.remove(at: 500), at: 1) } == ["update Ann @0,0"])
            #expect(try updates { $0.remove(at: $0.firstIndex(of: $1) ?? 0) }.count == 2)
        }
    }
}
