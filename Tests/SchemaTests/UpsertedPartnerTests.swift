import Coffer
import TestSupport
import Testing

/// One-to-one relationships of objects whose rows are merged into stored ones.
@MainActor
struct UpsertedPartnerTests {
    private final class Driver: CoreStoreObject {
        @Field.Stored("email") var email: String?
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("car", inverse: \.$driver) var car: Car?
        @Field.Relationship("mentor", inverse: \.$pupil) var mentor: Driver?
        @Field.Relationship("pupil") var pupil: Driver?
    }

    private final class Car: CoreStoreObject {
        @Field.Stored("plate") var plate: String?
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("driver") var driver: Driver?
    }

    private static func schema(_ policy: UniqueConstraintPolicy) -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Driver>("Driver", uniqueConstraints: [[\.$email]: policy]),
                Entity<Car>("Car", uniqueConstraints: [[\.$plate]: policy]),
            ])
    }

    private func driver(
        _ email: String?, _ name: String, _ car: Car? = nil, in transaction: BaseDataTransaction
    ) -> Driver {
        let driver = transaction.create(Into<Driver>())
        (driver.email, driver.name, driver.car) = (email, name, car)
        return driver
    }

    private func car(_ plate: String?, _ name: String, in transaction: BaseDataTransaction) -> Car {
        let car = transaction.create(Into<Car>())
        (car.plate, car.name) = (plate, name)
        return car
    }

    /// Returns a stack with Ann's Mini, Bob's Saab, and a Volvo without a driver.
    private func make(_ backend: TestBackend, _ policy: UniqueConstraintPolicy = .merge) throws -> TestStack {
        let test = try TestStack(backend, Self.schema(policy))
        try test.stack.perform(synchronous: { transaction in
            _ = driver("a@x", "Ann", car("1", "Mini", in: transaction), in: transaction)
            _ = driver("b@x", "Bob", car("2", "Saab", in: transaction), in: transaction)
            _ = car("3", "Volvo", in: transaction)
        })
        return test
    }

    /// Returns the pairs of drivers and cars in the objects of a source, first by driver and then by car.
    private func pairs(_ source: some FetchableSource) throws -> [String] {
        let drivers = try source.fetchAll(From<Driver>().orderBy(.ascending(\.$name)))
        let cars = try source.fetchAll(From<Car>().orderBy(.ascending(\.$name)))
        return drivers.map { "\($0.name)>\($0.car?.name ?? "-")" } + cars.map { "\($0.name)>\($0.driver?.name ?? "-")" }
    }

    /// Returns the pairs that the store finds with conditions.
    private func storedPairs(_ test: TestStack) throws -> [String] {
        let other = DataStack(Self.schema(.merge))
        let stack: DataStack
        if test.backend == .memory {
            stack = test.stack
        } else {
            try TestStack.addStore(test.backend, to: other, in: test.directory)
            stack = other
        }
        defer { other.unsafeRemoveAllPersistentStoresAndWait() }
        var found: [String] = []
        for driver in try stack.fetchAll(From<Driver>().orderBy(.ascending(\.$name))) {
            let cars = try stack.fetchAll(From<Car>().where(\.$driver == driver).orderBy(.ascending(\.$name)))
            found.append("\(driver.name)>\(cars.isEmpty ? "-" : cars.map(\.name).joined(separator: "+"))")
        }
        for car in try stack.fetchAll(From<Car>().orderBy(.ascending(\.$name))) {
            let drivers = try stack.fetchAll(From<Driver>().where(\.$car == car).orderBy(.ascending(\.$name)))
            found.append("\(car.name)>\(drivers.isEmpty ? "-" : drivers.map(\.name).joined(separator: "+"))")
        }
        return found
    }

    private func expect(_ expected: [String], _ test: TestStack, _ sources: any FetchableSource...) throws {
        for source in sources { #expect(try pairs(source) == expected) }
        #expect(try pairs(test.stack) == expected)
        #expect(try storedPairs(test) == expected)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merge that replaces the related object clears the inverse of the former related object`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let mini = try #require(try test.stack.fetchOne(From<Car>().where(\.$name == "Mini")))
        let ann = try #require(mini.driver)
        let transaction = test.stack.beginUnsafe()
        let known = try #require(transaction.edit(mini))
        #expect(known.driver?.name == "Ann")
        let new = driver("a@x", "Anna", car("9", "Audi", in: transaction), in: transaction)
        try transaction.commitAndWait()
        #expect(new.car?.name == "Audi")
        #expect(known.driver == nil)
        #expect(mini.driver == nil)
        #expect(ann.car?.name == "Audi")
        let expected = ["Anna>Audi", "Bob>Saab", "Audi>Anna", "Mini>-", "Saab>Bob", "Volvo>-"]
        try expect(expected, test, transaction)
        // The car that is free can be given to another driver.
        known.driver = driver(nil, "Eve", in: transaction)
        try transaction.commitAndWait()
        try expect(
            ["Anna>Audi", "Bob>Saab", "Eve>Mini", "Audi>Anna", "Mini>Eve", "Saab>Bob", "Volvo>-"], test, transaction)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merge without a related object clears the inverse of the former related object`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let mini = try #require(try test.stack.fetchOne(From<Car>().where(\.$name == "Mini")))
        try test.stack.perform(synchronous: { transaction in
            _ = driver("a@x", "Anna", in: transaction)
        })
        #expect(mini.driver == nil)
        try expect(["Anna>-", "Bob>Saab", "Mini>-", "Saab>Bob", "Volvo>-"], test)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merged object takes over the related object of another object`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let saab = try #require(try transaction.fetchOne(From<Car>().where(\.$name == "Saab")))
        let new = driver("a@x", "Anna", saab, in: transaction)
        try transaction.commitAndWait()
        #expect(saab.driver == new)
        try expect(["Anna>Saab", "Bob>-", "Mini>-", "Saab>Anna", "Volvo>-"], test, transaction)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `two merged objects that are related replace their former related objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let new = driver("a@x", "Anna", car("2", "Saab II", in: transaction), in: transaction)
        try transaction.commitAndWait()
        #expect(new.car?.driver == new)
        try expect(["Anna>Saab II", "Bob>-", "Mini>-", "Saab II>Anna", "Volvo>-"], test, transaction)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `of several merged objects the related object of the last one remains`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let first = driver("a@x", "first", car(nil, "Audi", in: transaction), in: transaction)
        let last = driver("a@x", "last", car(nil, "BMW", in: transaction), in: transaction)
        let eve = driver("e@x", "Eve", car(nil, "Citroen", in: transaction), in: transaction)
        let again = driver("e@x", "Eve again", car(nil, "Dacia", in: transaction), in: transaction)
        try transaction.commitAndWait()
        #expect(first.car?.name == "BMW")
        #expect(last.car?.name == "BMW")
        #expect(eve.car?.name == "Dacia")
        #expect(again.car?.name == "Dacia")
        try expect(
            [
                "Bob>Saab", "Eve again>Dacia", "last>BMW", "Audi>-", "BMW>last", "Citroen>-", "Dacia>Eve again",
                "Mini>-",
                "Saab>Bob", "Volvo>-",
            ], test, transaction)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `with keepStored the inverse of a discarded object's related object is nil`(_ backend: TestBackend) throws {
        let test = try make(backend, .keepStored)
        let transaction = test.stack.beginUnsafe()
        let audi = car("9", "Audi", in: transaction)
        let new = driver("a@x", "Anna", audi, in: transaction)
        let volvo = try #require(try transaction.fetchOne(From<Car>().where(\.$name == "Volvo")))
        let other = driver("b@x", "Bobby", volvo, in: transaction)
        try transaction.commitAndWait()
        #expect(audi.driver == nil)
        #expect(volvo.driver == nil)
        #expect(new.car?.name == "Mini")
        #expect(other.car?.name == "Saab")
        try expect(["Ann>Mini", "Bob>Saab", "Audi>-", "Mini>Ann", "Saab>Bob", "Volvo>-"], test, transaction)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merged object and its related objects of the same entity refer to each other`(_ backend: TestBackend) throws
    {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let ann = try #require(try transaction.fetchOne(From<Driver>().where(\.$name == "Ann")))
            ann.mentor = try transaction.fetchOne(From<Driver>().where(\.$name == "Bob"))
            ann.pupil = driver("e@x", "Eve", in: transaction)
        })
        let transaction = test.stack.beginUnsafe()
        let new = driver("a@x", "Ann", in: transaction)
        let dan = driver("d@x", "Dan", in: transaction)
        new.mentor = dan
        try transaction.commitAndWait()
        for source in [transaction, test.stack] as [any FetchableSource] {
            func named(_ name: String) throws -> Driver {
                try #require(try source.fetchOne(From<Driver>().where(\.$name == name)))
            }
            #expect(try named("Ann").mentor == named("Dan"))
            #expect(try named("Dan").pupil == named("Ann"))
            #expect(try named("Bob").pupil == nil)
            #expect(try named("Ann").pupil == nil)
            #expect(try named("Eve").mentor == nil)
        }
        #expect(try test.stack.fetchCount(From<Driver>().where(\.$pupil != nil)) == 1)
        #expect(try test.stack.fetchCount(From<Driver>().where(\.$mentor != nil)) == 1)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a child transaction sees the related objects after an object of its parent was merged`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let mini = try #require(try child.fetchOne(From<Car>().where(\.$name == "Mini")))
        #expect(mini.driver?.name == "Ann")
        _ = driver("a@x", "Anna", car("9", "Audi", in: parent), in: parent)
        try parent.commitAndWait()
        #expect(mini.driver == nil)
        try expect(["Anna>Audi", "Bob>Saab", "Audi>Anna", "Mini>-", "Saab>Bob", "Volvo>-"], test, parent, child)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `another stack sees that a merge cleared a related object`(_ backend: TestBackend) throws {
        guard backend != .memory else { return }
        let test = try make(backend)
        let other = DataStack(Self.schema(.merge))
        try TestStack.addStore(backend, to: other, in: test.directory)
        defer { other.unsafeRemoveAllPersistentStoresAndWait() }
        let mini = try #require(try other.fetchOne(From<Car>().where(\.$name == "Mini")))
        #expect(mini.driver?.name == "Ann")
        let error = #expect(throws: CoreStoreError.self) {
            try other.perform(
                synchronous: { transaction in
                    let own = try #require(try transaction.fetchOne(From<Car>().where(\.$name == "Mini")))
                    try test.stack.perform(synchronous: { transaction in
                        _ = driver("a@x", "Anna", in: transaction)
                    })
                    own.name = "changed"
                }, options: .init(conflictPolicy: .throwOnConflict))
        }
        #expect(error?.storageError?.code == .conflict)
        other.refreshAndMergeAllObjects()
        #expect(mini.driver == nil)
        #expect(mini.name == "Mini")
    }
}
