import Coffer
import CofferReactive
import CofferSQLite
import OpenCombineShim
import Testing

@MainActor
struct FutureTests {
    @Test(.pins("RX-01"), arguments: Backend.all)
    func `a transaction begins without a subscriber and ends although the future is dropped`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel { stack in
            _ = stack.reactive.perform { $0.create(Into<Dog>()).name = "Ann" }
            let future = stack.reactive.perform { transaction in
                transaction.create(Into<Dog>()).name = "Bob"
                return "saved"
            }
            // This is the third transaction; it runs after the other two.
            try stack.perform(synchronous: { _ in })
            #expect(try stack.fetchCount(From<Dog>()) == 2)
            // Each subscriber receives the same result.
            #expect(try await Recorder(future).finished() == ["saved"])
            #expect(try await Recorder(future).finished() == ["saved"])
            #expect(try stack.fetchCount(From<Dog>()) == 2)
        }
    }

    @Test(.pins("RX-01"), arguments: Backend.all)
    func `a transaction that throws or is cancelled fails the future and saves nothing`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel { stack in
            let failing = Recorder(
                stack.reactive.perform { transaction -> Int in
                    _ = transaction.create(Into<Dog>())
                    throw Dog.Refusal()
                })
            guard case .userError(let thrown)? = await failing.failure() else { throw Dog.Refusal() }
            #expect(thrown as? Dog.Refusal == Dog.Refusal())
            let cancelled = Recorder(
                stack.reactive.perform { transaction -> Int in
                    _ = transaction.create(Into<Dog>())
                    try transaction.cancel()
                })
            #expect(await cancelled.failure() == .userCancelled)
            #expect(try stack.fetchCount(From<Dog>()) == 0)
        }
    }

    @Test(.pins("RX-05"), arguments: Backend.all)
    func `an import publishes objects of the data stack`(_ backend: Backend) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let ann = try #require(try stack.fetchOne(From<Dog>()))
            let reactive = stack.reactive
            let new = try await Recorder(
                reactive.importObject(Into<Dog>(), source: .init(number: 2, name: "Bob"))
            ).finished()
            #expect(new.map { $0?.fetchSource() === stack } == [true] && new.first??.name == "Bob")
            #expect(
                try await Recorder(reactive.importObject(Into<Dog>(), source: .init(number: -1, name: ""))).finished()
                    == [nil])
            let same = try await Recorder(reactive.importObject(ann, source: .init(number: 1, name: "Amy"))).finished()
            #expect(same == [ann] && same.first! === ann && ann.name == "Amy")
            let found = try await Recorder(
                reactive.importUniqueObject(Into<Dog>(), source: .init(number: 1, name: "Abe"))
            ).finished()
            #expect(found.first! === ann && ann.name == "Abe")
            let many = try await Recorder(
                reactive.importUniqueObjects(
                    Into<Dog>(),
                    sourceArray: [(5, "Eve"), (1, "Ada"), (6, "Fay")].map { .init(number: $0.0, name: $0.1) },
                    preProcess: { $0.filter { $0.key != 6 } })
            ).finished()
            #expect(many.first?.map(\.name) == ["Eve", "Ada"] && many.first?[1] === ann)
        }
    }

    @Test(.pins("RX-05"), arguments: Backend.all)
    func `an import into a deleted object fails as cancelled, a refused import with its own error`(
        _ backend: Backend
    ) async throws {
        try await backend.withKennel(["Ann": 1]) { stack in
            let ann = try #require(try stack.fetchOne(From<Dog>()))
            let refused = Recorder(
                stack.reactive.importUniqueObject(Into<Dog>(), source: .init(number: 1, name: "Amy", isRefused: true)))
            guard case .userError? = await refused.failure() else { throw Dog.Refusal() }
            try stack.perform(synchronous: { $0.delete(ann) })
            let gone = Recorder(stack.reactive.importObject(ann, source: .init(number: 1, name: "Amy")))
            #expect(await gone.failure() == .userCancelled)
        }
    }

    @Test(.pins("RX-01", "RX-05"), arguments: Backend.all)
    func `an import begins without a subscriber`(_ backend: Backend) async throws {
        try await backend.withKennel { stack in
            _ = stack.reactive.importUniqueObjects(Into<Dog>(), sourceArray: [.init(number: 1, name: "Ann")])
            try stack.perform(synchronous: { _ in })
            #expect(try stack.fetchCount(From<Dog>()) == 1)
        }
    }
}
