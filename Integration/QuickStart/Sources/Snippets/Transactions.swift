import Coffer

@MainActor
func transactions(_ stack: DataStack) async throws {
    // snippet: transactions
    let born = try await stack.async.perform { transaction in
        let bella = try transaction.fetchOne(From<Dog>().where { $0.$nickname == "Bella" })
        bella?.age += 1
        let puppy = transaction.create(Into<Dog>())
        puppy.master = bella?.master
        return transaction.insertedObjects(Dog.self).count
    }
    print("Born: \(born).")
    do {
        try stack.perform(synchronous: { transaction in
            try transaction.deleteAll(From<Dog>())
            try transaction.cancel()
        })
    } catch CoreStoreError.userCancelled {
        print("All \(try stack.fetchCount(From<Dog>())) dogs are still there.")
    }
    // end
}
