import Coffer

@MainActor
func following(_ stack: DataStack) async throws {
    // snippet: following
    let dogs = stack.publishList(From<Dog>().orderBy(.ascending(\.$nickname)))
    for await snapshot in dogs.snapshots() {
        print(snapshot.compactMap { $0.$nickname })
        if snapshot.count == 3 { break }
        try await stack.async.perform { $0.create(Into<Dog>()).nickname = "Lassie" }
    }
    // end
}

@MainActor
func followingFields(_ stack: DataStack) async throws {
    // snippet: following-fields
    guard let rex = try stack.fetchOne(From<Dog>().where { $0.$nickname == "Rex" }) else { return }
    let id = rex.objectID()
    for await age in stack.publishObject(rex).values(\.$age) {
        guard let age else { break }
        print("Rex is \(age).")
        try await stack.async.perform { transaction in
            if age < 5 { transaction.edit(Into<Dog>(), id)?.age += 1 } else { transaction.delete(objectIDs: [id]) }
        }
    }
    print("Rex was deleted.")
    // end
}

@MainActor
func followingCommits(_ stack: DataStack) async throws {
    // snippet: following-commits
    var commits = stack.async.commits().makeAsyncIterator()
    try stack.perform(synchronous: { try $0.deleteAll(From<Dog>()) }, sourceIdentifier: "the clean-up")
    if let changes = await commits.next() {
        let sources = changes.sourceIdentifiers.compactMap { $0 as? String }
        print("\(changes.deletedIDs.count) objects were deleted by \(sources).")
    }
    // end
}

@MainActor
func visiting(_ stack: DataStack) async throws {
    // snippet: visiting
    let dogs = From<Dog>().orderBy(.ascending(\.$nickname))
    try stack.read { reading in
        try reading.fetchEach(dogs) { dog in print("\(dog.nickname) is \(dog.age).") }
    }
    for try await line in stack.async.fetchEach(dogs, { "\($0.nickname),\($0.age)" }) {
        print(line)
    }
    // end
}

@MainActor
func readingByIndex(_ stack: DataStack) throws {
    // snippet: by-index
    let dogs = try stack.fetchLazily(From<Dog>().orderBy(.ascending(\.$nickname)))
    print("The dog at index 1 of \(dogs.count) is \(dogs[1]?.nickname ?? "deleted").")
    for dog in dogs.suffix(1) {
        print(dog?.age ?? 0)
    }
    // end
}
