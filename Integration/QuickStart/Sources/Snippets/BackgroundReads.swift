import Coffer

@MainActor
func backgroundReads(_ stack: DataStack) async throws {
    // snippet: background-reads
    async let ages = stack.async.read { try $0.fetchAll(From<Dog>()).map(\.age).sorted() }
    async let people = stack.async.read { try $0.fetchCount(From<Person>()) }
    print("People: \(try await people). Ages of the dogs: \(try await ages).")
    // end
}
