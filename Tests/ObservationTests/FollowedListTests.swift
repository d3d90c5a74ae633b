import Coffer
import CofferStorage
import Dispatch
import Foundation
import Observation
import TestSupport
import Testing

@testable import CofferObservation

/// A view's list is fetched once, followed while the view exists, and read on the main queue.
@MainActor
struct FollowedListTests {
    private static var named: FetchChainBuilder<Town.Person> { From<Town.Person>().orderBy(.ascending(\.$name)) }

    private struct Weak {
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject?) {
            self.object = object
        }
    }

    private final class Box: Sendable {
        let count = Locked(0)
    }

    /// Returns the number of reported changes of a list while a closure runs.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private func changes<O>(of list: FollowedList<O>, _ body: () throws -> Void) rethrows -> Int {
        let box = Box()
        withObservationTracking {
            _ = list.snapshot
        } onChange: {
            box.count.withLock { $0 += 1 }
        }
        try body()
        return box.count.withLock { $0 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a list follows commits and notifies its view`() throws {
        let test = try Town.filled(.memory, ["Bob": 2])
        let list = FollowedList<Town.Person>()
        list.follow(.chain(Self.named, in: test.stack))
        #expect(list.snapshot.text == "Bob")
        #expect(try changes(of: list) { try test.add("Ann") } == 1)
        #expect(list.snapshot.text == "Ann Bob")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a list is fetched when first followed, and not again for the same clauses`() throws {
        let test = try Town.filled(.memory, ["Ann": 1, "Bob": 2])
        let list = FollowedList<Town.Person>()
        func clauses(_ age: Int) -> ListSource<Town.Person> {
            .chain(From<Town.Person>().where(\.$age >= age).orderBy(.ascending(\.$name)), in: test.stack)
        }
        #expect(list.publisher == nil)
        let publisher = list.begin(clauses(2))
        #expect(list.follow(clauses(2)) === publisher)
        #expect(list.snapshot.text == "Bob")
        #expect(changes(of: list) { list.follow(clauses(2)) } == 0)
        #expect(changes(of: list) { list.follow(clauses(1)) } == 1)
        #expect(list.publisher !== publisher)
        #expect(list.snapshot.text == "Ann Bob")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `clauses differ by their class, stack, configurations, sections, tweaks and stores`() throws {
        let (test, other) = (try Town.empty(.memory), try Town.empty(.memory))
        let order = OrderBy<Town.Person>(.ascending(\.$name))
        func clauses(
            _ from: From<Town.Person> = From(), _ sectionBy: SectionBy<Town.Person>? = nil,
            _ more: [any FetchClause] = [], in stack: DataStack
        ) -> ListSource<Town.Person> {
            .clauses(ListClauses(from, sectionBy, [order] + more, in: stack))
        }
        let plain = clauses(in: test.stack)
        let others = [
            clauses(in: other.stack), clauses(From(Town.Mayor.self), in: test.stack),
            clauses(From(nil), in: test.stack), clauses(From(), SectionBy(\.$city), in: test.stack),
            clauses(From(), nil, [Where<Town.Person>(\.$age == 1)], in: test.stack),
            clauses(From(), nil, [Tweak { $0.fetchLimit = 3 }], in: test.stack),
            clauses(From(), nil, [Tweak { $0.fetchOffset = 3 }], in: test.stack),
            clauses(From(), nil, [Tweak { $0.includesSubentities = false }], in: test.stack),
            clauses(From(), nil, [Tweak { $0.affectedStores = [] }], in: test.stack),
            .publisher(test.stack.publishList(Self.named)), .publisher(test.stack.publishList(Self.named)),
        ]
        #expect(plain.isSameList(as: clauses(in: test.stack)))
        for (index, source) in others.enumerated() {
            #expect(source.isSameList(as: source), "\(index)")
            #expect(!source.isSameList(as: plain), "\(index)")
            #expect(!plain.isSameList(as: source), "\(index)")
            for next in others[(index + 1)...] { #expect(!source.isSameList(as: next), "\(index)") }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a list that is no longer followed does not notify its view`() throws {
        let (test, other) = (try Town.filled(.memory, ["Ann": 1]), try Town.filled(.memory, ["Bob": 2]))
        let list = FollowedList<Town.Person>()
        let former = test.stack.publishList(Self.named)
        list.follow(.publisher(former))
        list.follow(.publisher(other.stack.publishList(Self.named)))
        #expect(try changes(of: list) { try test.add("Cat") } == 0)
        #expect(former.snapshot.count == 2)
        #expect(list.snapshot.text == "Bob")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a list is observed as long as it exists`() throws {
        let test = try Town.filled(.memory, ["Ann": 1])
        var list: FollowedList<Town.Person>? = FollowedList()
        let publisher = Weak(list?.follow(.chain(Self.named, in: test.stack)))
        let released = Weak(list)
        #expect(publisher.object != nil)
        list = nil
        #expect(released.object == nil)
        #expect(publisher.object == nil)
        try test.add("Bob")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a list of a data stack with another view queue is read on the main queue`() async throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(.memory, Town.schema, viewQueue: queue)
        let list = FollowedList<Town.Person>()
        list.follow(.chain(Self.named, in: test.stack))
        #expect(list.snapshot.isEmpty)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            withObservationTracking {
                _ = list.snapshot
            } onChange: {
                dispatchPrecondition(condition: .onQueue(.main))
                DispatchQueue.main.async { continuation.resume() }
            }
            DispatchQueue.global().async {
                #expect(throws: Never.self) { try test.add("Ann") }
            }
        }
        // The reported change is the first snapshot or the snapshot of the commit.
        while list.snapshot.isEmpty { await Task.yield() }
        #expect(list.snapshot.count == 1)
    }

    // MARK: Objects

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `an object follows commits until it is deleted`() throws {
        let test = try Town.filled(.memory, ["Ann": 1, "Bob": 2])
        let (ann, bob) = (try #require(try test.person("Ann")), try #require(try test.person("Bob")))
        let object = FollowedObject<Town.Person>()
        object.begin(test.stack.publishObject(ann))
        #expect(object.snapshot?.$age == 1)
        try test.edit("Ann") { $0.age = 3 }
        #expect(object.snapshot?.$age == 3)
        object.begin(test.stack.publishObject(bob))
        #expect(object.snapshot?.$name == "Ann")
        object.follow(test.stack.publishObject(bob))
        #expect(object.snapshot?.$name == "Bob")
        try test.delete("Bob")
        #expect(object.snapshot == nil)
        object.follow(test.stack.publishObject(ann))
        object.follow(nil)
        #expect(object.snapshot == nil)
        #expect(object.publisher == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `commits and set properties both report changes of an object`() throws {
        let test = try Town.filled(.memory, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        var told = 0
        let changes = ObjectChangeNotifier(of: ann) { told += 1 }
        try test.edit("Ann") { $0.age = 2 }
        #expect(told == 1)
        try test.edit("Ann") { $0.age = 2 }
        #expect(told == 1)
        let transaction = test.stack.beginUnsafe()
        let edited = try #require(transaction.edit(ann))
        var ages: [Int] = []
        let edits = ObjectChangeNotifier(of: edited) { [unowned edited] in ages.append(edited.age) }
        edited.age = 5
        #expect(ages == [2, 5])
        edited.pets = []
        #expect(ages.count > 2)
        try test.delete("Ann")
        #expect(told == 2)
        changes.end()
        edits.end()
    }
}
