import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Lists and publishers change in the turns of the view queue, one commit at a time.
@MainActor
struct ObserverTurnTests {
    private final class Owner {}

    @Test(.pins("OBS-26", "OBS-27", "OBS-51"), arguments: TestBackend.allCases)
    func `lists and publishers show each commit in the turn of the commit, and not before`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 10, "Bob": 20])
        let stack = test.stack
        let (owner, told) = (Owner(), Locked<[String]>([]))
        // The first list is evaluated in memory, and the second one is fetched again after each commit. The sections
        // of the third one need live objects.
        let all = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        let few = stack.publishList(From<Person>().orderBy(.descending(\.$age)).limit(2))
        let sections = stack.monitorSectionedList(From<Person>().sectionBy(\.$decade).orderBy(.ascending(\.$age)))
        let ann = try #require(try test.person("Ann"))
        let publisher = stack.publishObject(ann)
        func state() -> String {
            let fetched = (try? stack.fetchAll(From<Person>().orderBy(.ascending(\.$name))).map(\.name)) ?? []
            return "\(fetched.joined(separator: " ")) | \(all.snapshot.text) | \(few.snapshot.text) | \(sections.text)"
                + " | \(publisher.snapshot?.$age ?? -1) \(ann.age)"
        }
        all.addObserver(owner) { _ in told.withLock { $0.append(state()) } }
        let before = state()
        #expect(before == "Ann Bob | Ann Bob | Bob Ann | 1: Ann, 2: Bob | 10 10")
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for (name, age) in [("Cat", 30), ("Ann", 31), ("Dan", 5)] {
                _ = try? stack.perform(
                    synchronous: { transaction in
                        let person =
                            try transaction.fetchOne(From<Person>().where(\.$name == name))
                            ?? transaction.create(Into<Person>())
                        (person.name, person.age) = (name, age)
                    }, waitForAllObservers: false)
            }
            done.signal()
        }
        done.wait()
        #expect(state() == before)
        #expect(told.withLock { $0 } == [])
        await test.onViewQueue()
        let expected = [
            "Ann Bob Cat | Ann Bob Cat | Cat Bob | 1: Ann, 2: Bob, 3: Cat | 10 10",
            "Ann Bob Cat | Ann Bob Cat | Ann Cat | 2: Bob, 3: Cat Ann | 31 31",
            "Ann Bob Cat Dan | Ann Bob Cat Dan | Ann Cat | 0: Dan, 2: Bob, 3: Cat Ann | 31 31",
        ]
        #expect(told.withLock { $0 } == expected)
        #expect(state() == expected[2])
    }
}
