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

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `a list publishes its snapshot on subscription and after each change, and never completes`(
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

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `an object publishes its snapshots, and nil after its deletion, and never completes`(
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

    @Test(.pins("RX-04"), arguments: Backend.all)
    func `a field publishes its value on subscription and on each change of the object, even if equal`(
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

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `a subscription keeps the list alive until the subscription is cancelled`(
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
            // This also holds for a subscriber that takes only the first value.
            let first = Recorder(
                stack.publishList(From<Dog>().orderBy(.ascending(\.$name))).reactive.snapshot().first())
            #expect(first.values.count == 1 && first.completion == .finished)
        }
    }

    /// Records values, and requests more values as the test defines.
    private final class Patient<Input, Failure: Error>: Subscriber {
        var subscription: (any Subscription)?
        var values: [Input] = []
        var completion: Subscribers.Completion<Failure>?
        /// The demands that the next values return.
        var demands: [Subscribers.Demand] = []

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Input) -> Subscribers.Demand {
            values.append(input)
            return demands.isEmpty ? .none : demands.removeFirst()
        }

        func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
    }

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `a subscriber receives as many values as it requests, and the newest value on request`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel { stack in
            let patient = Patient<Int, Never>()
            func add() throws { try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) }) }
            stack.publishList(From<Dog>().orderBy(.ascending(\.$name))).reactive.snapshot().map { $0.count }
                .subscribe(patient)
            #expect(patient.values == [])
            patient.subscription?.request(.none)
            #expect(patient.values == [])
            patient.subscription?.request(.max(1))
            for _ in 0..<2 { try add() }
            #expect(patient.values == [0])
            patient.subscription?.request(.max(2))
            #expect(patient.values == [0, 2])
            // The next value requests another value.
            patient.demands = [.max(1)]
            for _ in 0..<3 { try add() }
            #expect(patient.values == [0, 2, 3, 4])
            patient.subscription?.request(.unlimited)
            #expect(patient.values == [0, 2, 3, 4, 5])
            for _ in 0..<2 { try add() }
            #expect(patient.values == [0, 2, 3, 4, 5, 6, 7])
            patient.subscription?.cancel()
            try add()
            #expect(patient.values.count == 7)
        }
    }

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `a loop over the values of a publisher gets the newest value, even after missed commits`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let ann = try #require(try stack.fetchOne(From<Dog>()))
            let list = stack.publishList(From<Dog>().orderBy(.ascending(\.$name)))
            let counts = list.reactive.snapshot().map { $0.count }.values
            var found: [Int] = []
            for await count in counts {
                found.append(count)
                if found.count == 3 { break }
                for _ in 0..<3 { try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) }) }
            }
            #expect(found == [1, 4, 7])
            let names = stack.publishObject(ann).reactive.$name.values
            var last: [String?] = []
            for await name in names {
                last.append(name)
                guard name != nil else { break }
                for other in ["Eve", "Fay"] { try stack.perform(synchronous: { $0.edit(ann)?.name = other }) }
                if last.count == 2 { try stack.perform(synchronous: { $0.delete(ann) }) }
            }
            #expect(last == ["Ann", "Fay", nil])
        }
    }

    @Test(.pins("RX-03"), arguments: Backend.all)
    func `a task of any executor may loop over the values of a publisher`(_ backend: Backend) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let list = stack.publishList(From<Dog>().orderBy(.ascending(\.$name)))
            nonisolated(unsafe) let counts = list.reactive.snapshot().map { $0.count }.values
            let found = try await Task.detached {
                var found: [Int] = []
                for await count in counts {
                    found.append(count)
                    if count == 3 { break }
                    try await stack.async.perform { _ = $0.create(Into<Dog>()) }
                }
                return found
            }.value
            #expect(found.first == 1 && found.last == 3 && found == found.sorted())
        }
    }
}
