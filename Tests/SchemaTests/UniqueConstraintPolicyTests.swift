import Coffer
import CofferStorage
import Dispatch
import TestSupport
import Testing

/// New objects whose unique values other objects have, with the policies of the schema and the options.
@MainActor
struct UniqueConstraintPolicyTests {
    private let isTaken =
        "'Account.email' must be unique, but another row already has this value. Change one of the rows, or merge them."

    private func ann(_ test: TestStack) throws -> Account {
        try #require(try test.stack.fetchOne(From<Account>().where(\.$email == "a@x")))
    }

    // MARK: The sign-up

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `without a policy a new account with a known e-mail is merged into the stored account`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        try test.stack.perform(synchronous: { $0.sign(up: "a@x", "Mallory", password: "mine") })
        #expect(try ann(test).password == "mine")
        #expect(try ann(test).letters.map(\.title) == ["old"])
    }

    @Test(arguments: TestBackend.allCases)
    func `with throwError a new account with a known e-mail is refused`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts(.throwError))
        try test.stack.saveAnn()
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let mallory = transaction.sign(up: "a@x", "Mallory", password: "mine")
                mallory.letters = [transaction.letter("hers")]
            })
        }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(error?.storageError?.message == isTaken)
        #expect(
            error?.storageError?.violatedConstraints
                == [ViolatedConstraint(entity: "Account", attributes: ["email"])])
        #expect(try ann(test).password == "secret")
        #expect(try test.stack.fetchCount(From<Account>()) == 1)
        #expect(try test.stack.fetchCount(From<Letter>()) == 1)
        try test.stack.perform(synchronous: { $0.sign(up: "b@x", "Bob") })
        #expect(try test.stack.fetchCount(From<Account>()) == 2)
    }

    @Test(arguments: TestBackend.persistent)
    func `of several stacks that insert the same e-mail at once, one succeeds and others are refused`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts(.throwError))
        // Each stack has its own storage for one place, like the stacks of several processes.
        let stacks =
            try [test.stack]
            + (0..<2).map { _ in
                let stack = DataStack(CoreStoreSchema.accounts(.throwError), viewQueue: DispatchQueue(label: "view"))
                try TestStack.addStore(backend, to: stack, in: test.directory)
                return stack
            }
        defer { for stack in stacks.dropFirst() { stack.unsafeRemoveAllPersistentStoresAndWait() } }
        let outcomes = Guarded<[Int: [StorageError.Code?]]>([:])
        DispatchQueue.concurrentPerform(iterations: stacks.count) { number in
            for round in 0..<10 {
                let result = Result {
                    try stacks[number].perform(
                        synchronous: { $0.sign(up: "\(round)@x", "\(number)") }, waitForAllObservers: false)
                }
                let code: StorageError.Code? =
                    if case .failure(let error) = result {
                        (error as? CoreStoreError)?.storageError?.code ?? .failed
                    } else {
                        nil
                    }
                outcomes.withLock { $0[round, default: []].append(code) }
            }
        }
        for (round, codes) in outcomes.withLock({ $0 }) {
            #expect(codes.filter { $0 == nil }.count == 1, "round \(round): \(codes)")
            #expect(codes.filter { $0 == .uniqueViolation }.count == 2, "round \(round): \(codes)")
        }
        #expect(try test.stack.fetchCount(From<Account>()) == 10)
    }

    // MARK: Throwing

    @Test(arguments: TestBackend.allCases)
    func `the policy of a transaction overrides the policy of the constraint`(_ backend: TestBackend) throws {
        let merging = try TestStack(backend, .accounts())
        try merging.stack.saveAnn()
        let error = #expect(throws: CoreStoreError.self) {
            try merging.stack.perform(
                synchronous: { $0.sign(up: "a@x", "Mallory") }, options: .init(uniqueConstraintPolicy: .throwError))
        }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(try ann(merging).name == "Ann")
        let throwing = try TestStack(backend, .accounts(.throwError))
        try throwing.stack.saveAnn()
        try throwing.stack.perform(
            synchronous: { $0.sign(up: "a@x", "Anna") }, options: .init(uniqueConstraintPolicy: .merge))
        #expect(try ann(throwing).name == "Anna")
        try throwing.stack.perform(
            synchronous: { $0.sign(up: "a@x", "Mallory") }, options: .init(uniqueConstraintPolicy: .keepStored))
        #expect(try ann(throwing).name == "Anna")
    }

    @Test(arguments: TestBackend.allCases)
    func `an asynchronous transaction applies its policy`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let error = await #expect(throws: CoreStoreError.self) {
            try await test.stack.async.perform(.init(uniqueConstraintPolicy: .throwError)) { transaction in
                _ = transaction.sign(up: "a@x", "Mallory")
            }
        }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(try ann(test).name == "Ann")
    }

    @Test(arguments: TestBackend.allCases)
    func `an unsafe transaction keeps its objects after a refused commit`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        let id = try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe(uniqueConstraintPolicy: .throwError)
        let new = transaction.sign(up: "a@x", "Bob")
        new.letters = [transaction.letter("Bob's")]
        let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        #expect(error?.storageError?.message == isTaken)
        #expect(transaction.hasChanges)
        #expect(!new.isDeleted)
        #expect(new.objectID() != id)
        new.email = "b@x"
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Account>()) == 2)
        #expect(try ann(test).letters.count == 1)
        #expect(test.stack.fetchExisting(new)?.letters.map(\.title) == ["Bob's"])
    }

    @Test(arguments: TestBackend.allCases)
    func `child transactions use the policy of the outermost transaction`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let parent = test.stack.beginUnsafe(uniqueConstraintPolicy: .throwError)
        let child = parent.beginUnsafe()
        child.sign(up: "a@x", "Mallory")
        try child.commitAndWait()
        let error = #expect(throws: CoreStoreError.self) { try parent.commitAndWait() }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(try ann(test).name == "Ann")
    }

    // MARK: Keeping the stored row

    @Test(arguments: TestBackend.allCases)
    func `an object whose values are discarded becomes the object of the stored row`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts(.keepStored))
        let id = try test.stack.saveAnn()
        let seen = try ann(test)
        let transaction = test.stack.beginUnsafe()
        let new = transaction.sign(up: "a@x", "Mallory", password: "mine")
        new.note = "hers"
        let bob = transaction.sign(up: "b@x", "Bob")
        new.sponsor = bob
        bob.sponsored = [bob, new]
        let letter = transaction.letter("new")
        letter.author = new
        let club = transaction.club("new")
        new.clubs = [club]
        try transaction.commitAndWait()
        #expect(new.objectID() == id)
        #expect((new.name, new.password, new.visits) == ("Ann", "secret", 5))
        #expect(new.note == nil)
        // The values in the row of the new object are discarded. References to the new object in other rows refer to
        // the stored object.
        #expect(new.sponsor == nil)
        #expect(bob.sponsored == [bob])
        #expect(letter.author === new)
        #expect(new.letters.map(\.title) == ["old", "new"])
        #expect(Set(new.clubs.map(\.title)) == ["old", "new"])
        #expect(seen.sponsor == nil)
        #expect(seen.letters.map(\.title) == ["old", "new"])
        #expect((seen.name, seen.password) == ("Ann", "secret"))
        new.name = "Annie"
        try transaction.commitAndWait()
        #expect(seen.name == "Annie")
        #expect(seen.password == "secret")
    }

    @Test(arguments: TestBackend.allCases)
    func `an object whose values are discarded does not change the stored object`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts(.keepStored))
        try test.stack.saveAnn()
        let seen = try ann(test)
        let publisher = seen.asPublisher(in: test.stack)
        let observer = Observer()
        var told = 0
        publisher.addObserver(observer) { _ in told += 1 }
        let returned = try test.stack.perform(synchronous: { $0.sign(up: "a@x", "Mallory") })
        #expect(told == 0)
        #expect(test.stack.fetchExisting(returned) === seen)
        #expect(returned.name == "Ann")
        try test.stack.perform(synchronous: { $0.edit(seen)?.name = "Anna" })
        #expect(told == 1)
        publisher.removeObserver(observer)
    }

    private final class Observer {}

    // MARK: Two objects of one transaction

    @Test(arguments: TestBackend.allCases)
    func `each policy applies to two new objects of one transaction with the same values`(_ backend: TestBackend) throws
    {
        for (policy, name) in [(UniqueConstraintPolicy.merge, "second"), (.keepStored, "first")] {
            let test = try TestStack(backend, .accounts(policy))
            let transaction = test.stack.beginUnsafe()
            let accounts = ["first", "second"].map { transaction.sign(up: "a@x", $0) }
            try transaction.commitAndWait()
            #expect(accounts.map(\.name) == [name, name])
            #expect(try test.stack.fetchAll(From<Account>()).map(\.name) == [name])
        }
        let test = try TestStack(backend, .accounts(.throwError))
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                for name in ["first", "second"] { transaction.sign(up: "a@x", name) }
            })
        }
        #expect(error?.storageError?.message == isTaken)
        #expect(try test.stack.fetchCount(From<Account>()) == 0)
    }

    @Test(arguments: TestBackend.allCases)
    func `a change to an existing unique value is refused with every policy`(_ backend: TestBackend) throws {
        for policy in UniqueConstraintPolicy.allCases {
            let test = try TestStack(backend, .accounts(policy))
            try test.stack.saveAnn()
            try test.stack.perform(synchronous: { $0.sign(up: "b@x", "Bob") })
            let bob = try #require(try test.stack.fetchOne(From<Account>().where(\.$name == "Bob")))
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(
                    synchronous: { $0.edit(bob)?.email = "a@x" }, options: .init(uniqueConstraintPolicy: policy))
            }
            #expect(error?.storageError?.message == isTaken)
            #expect(
                error?.storageError?.violatedConstraints
                    == [ViolatedConstraint(entity: "Account", attributes: ["email"])])
            #expect(bob.email == "b@x")
        }
    }

    // MARK: The schema

    @Test func `a policy does not change the version hash`() {
        let schemas = [nil] + UniqueConstraintPolicy.allCases.map { Optional($0) }
        let hashes = schemas.map { CoreStoreSchema.accounts($0).rawModel().storeModel.versionHashes }
        #expect(Set(hashes).count == 1)
    }

    @Test(arguments: TestBackend.allCases)
    func `a store can be opened with another policy than it was created with`(_ backend: TestBackend) throws {
        let reopened = try ReopenedStore(backend, .accounts(), .accounts(.throwError)) { transaction in
            transaction.sign(up: "a@x", "Ann")
        }
        let error = #expect(throws: CoreStoreError.self) {
            try reopened.stack.perform(synchronous: { $0.sign(up: "a@x", "Mallory") })
        }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(try reopened.stack.fetchAll(From<Account>()).map(\.name) == ["Ann"])
    }

    @Test func `entities with different policies are not equal`() {
        let plain = Entity<Club>("Club", uniqueConstraints: [[\.$title]])
        let merging = Entity<Club>("Club", uniqueConstraints: [[\.$title]: .merge])
        let throwing = Entity<Club>("Club", uniqueConstraints: [[\.$title]: .throwError])
        #expect(plain == merging)
        #expect(plain != throwing)
        #expect(throwing.uniqueConstraints == [["title"]])
        #expect(throwing.uniqueConstraintPolicies == [.throwError])
        #expect(plain.uniqueConstraintPolicies == [.merge])
    }

    @Test func `a printed schema contains the policies`() {
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Group>("Group", uniqueConstraints: [[\.$country, \.$code]: .throwError, [\.$note]: .merge])
            ])
        let text = schema.printCoreStoreSchema()
        #expect(text.contains("uniqueConstraints: [[\\.$country, \\.$code]: .throwError, [\\.$note]: .merge]"))
    }

    private final class Group: CoreStoreObject {
        @Field.Stored("country") var country: String?
        @Field.Stored("code") var code: Int = 0
        @Field.Stored("note") var note: String = ""
    }
}
