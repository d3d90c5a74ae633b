import Coffer
import CofferConfiguration

@MainActor
func counting(_ stack: DataStack) async throws {
    // snippet: counting
    let age = try await stack.async.perform(.init(isolation: .serializable, repeatable: .upTo(10))) { transaction in
        let rex = try transaction.fetchOne(From<Dog>().where { $0.$nickname == "Rex" })
        rex?.age += 1
        return rex?.age ?? 0
    }
    print("Rex is \(age).")
    // end
}

@MainActor
func conflicting(_ stack: DataStack) throws {
    // snippet: conflicting
    let editor = stack.beginUnsafe(conflictPolicy: .throwOnConflict)
    try editor.fetchOne(From<Dog>().where { $0.$nickname == "Rex" })?.age = 4
    try stack.perform(synchronous: { transaction in
        try transaction.fetchOne(From<Dog>().where { $0.$nickname == "Rex" })?.age = 7
    })
    do {
        try editor.commitAndWait()
    } catch {
        for conflict in error.storageError?.conflicts ?? [] {
            print(conflict.base["age"] ?? .null, conflict.stored?["age"] ?? .null, conflict.wanted?["age"] ?? .null)
        }
    }
    // end
}

@MainActor
func failing(_ stack: DataStack) throws {
    // snippet: failing
    do {
        _ = try StorageConfiguration("sqlite:kennel.sqlite?sync=full")
    } catch {
        print(error)
    }
    // end
}
