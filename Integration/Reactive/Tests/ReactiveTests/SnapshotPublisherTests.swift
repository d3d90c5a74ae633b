import Coffer
import CofferReactive
import OpenCombineShim
import Testing

@MainActor
struct SnapshotPublisherTests {
    private func rename(_ name: String, to other: String, _ stack: DataStack) throws {
        try stack.perform(synchronous: { transaction in
            try transaction.fetchOne(From<Dog>().where { $0.$name == name })?.name = other
        })
    }

    private func delete(_ name: String, _ stack: DataStack) throws {
        try stack.perform(synchronous: { transaction in
            _ = try transaction.deleteAll(From<Dog>().where { $0.$name == name })
        })
    }

    @Test(arguments: Backend.all)
    func `RX-03 a list gives its snapshot when it is subscribed to, and one for each change, and never completes`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1, "Bob": 2]) { stack in
            let list = stack.publishList(From<Dog>().orderBy(.ascending(\.$name)))
            let all = Recorder(list.reactive.snapshot().map { $0.compactMap { $0.$name } })
            let later = Recorder(list.reactive.snapshot(emitInitialValue: false).map { $0.count })
            #expect(all.values == [["Ann", "Bob"]] && later.values == [])
            try rename("Bob", to: "Abe", stack)
            try delete("Ann", stack)
            #expect(all.values == [["Ann", "Bob"], ["Abe", "Ann"], ["Abe"]] && later.values == [2, 1])
            all.cancel()
            try delete("Abe", stack)
            #expect(all.values.count == 3 && later.values == [2, 1, 0])
            #expect(all.completion == nil && later.completion == nil)
        }
    }

    @Test(arguments: Backend.all)
    func `RX-03 an object gives its snapshots, and nil once it is deleted, and never completes`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let ann = try #require(try stack.fetchOne(From<Dog>()))
            let all = Recorder(stack.publishObject(ann).reactive.snapshot().map { $0?.$name })
            let later = Recorder(stack.publishObject(ann).reactive.snapshot(emitInitialValue: false).map { $0?.$name })
            #expect(all.values == ["Ann"] && later.values == [])
            try rename("Ann", to: "Eve", stack)
            try delete("Eve", stack)
            #expect(all.values == ["Ann", "Eve", nil] && later.values == ["Eve", nil])
            #expect(all.completion == nil && later.completion == nil)
        }
    }

    @Test(arguments: Backend.all)
    func `RX-04 a field gives its value at first and on each change of the object, also if it is the same`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let ann = try #require(try stack.fetchOne(From<Dog>()))
            let publisher = stack.publishObject(ann)
            let names = Recorder(publisher.reactive.$name)
            let labels = Recorder(publisher.reactive.$label)
            let moods = Recorder(publisher.reactive.$mood)
            try stack.perform(synchronous: { try #require($0.edit(ann)).number = 2 })
            try stack.perform(synchronous: { try #require($0.edit(ann)).mood.colour = "red" })
            #expect(names.values == ["Ann", "Ann", "Ann"])
            #expect(labels.values == ["Ann #1", "Ann #2", "Ann #2"])
            #expect(moods.values.map { $0?.colour } == ["grey", "grey", "red"])
            try delete("Ann", stack)
            #expect(names.values.count == 4 && names.values.last == .some(nil))
        }
    }

    @Test(arguments: Backend.all)
    func `RX-03 a subscription keeps the list alive, and releases it when it is cancelled`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            weak var list: ListPublisher<Dog>?
            let recorder = {
                let publisher = stack.publishList(From<Dog>().orderBy(.ascending(\.$name)))
                list = publisher
                return Recorder(publisher.reactive.snapshot().map { $0.count })
            }()
            try rename("Ann", to: "Eve", stack)
            #expect(list != nil && recorder.values == [1, 1])
            recorder.cancel()
            #expect(list == nil)
            // Also a subscriber that is content with the first value.
            let first = Recorder(
                stack.publishList(From<Dog>().orderBy(.ascending(\.$name))).reactive.snapshot().first())
            #expect(first.values.count == 1 && first.completion == .finished)
        }
    }

    @Test(arguments: Backend.all)
    func `RX-03 a subscriber gets nothing before it asks, and then everything`(_ backend: Backend) async throws {
        final class Patient: Subscriber {
            var subscription: (any Subscription)?
            var counts: [Int] = []
            func receive(subscription: any Subscription) { self.subscription = subscription }
            func receive(_ input: ListSnapshot<Dog>) -> Subscribers.Demand {
                counts.append(input.count)
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) {}
        }
        try await backend.withKennel { stack in
            let patient = Patient()
            stack.publishList(From<Dog>().orderBy(.ascending(\.$name))).reactive.snapshot().subscribe(patient)
            #expect(patient.counts == [])
            patient.subscription?.request(.none)
            #expect(patient.counts == [])
            patient.subscription?.request(.max(1))
            for _ in 0..<2 { try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) }) }
            #expect(patient.counts == [0, 1, 2])
            patient.subscription?.cancel()
        }
    }
}
