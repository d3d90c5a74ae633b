import Coffer

@MainActor
func observing(_ stack: DataStack) throws {
    // snippet: observing
    let list = stack.publishList(From<Dog>().where { $0.$age < 9 }.orderBy(.ascending(\.$nickname)))
    list.addObserver(stack) { list, source in
        print("\(source ?? ""):", list.snapshot.compactMap { $0.$nickname })
    }
    try stack.perform(synchronous: { $0.create(Into<Dog>()).nickname = "Lassie" }, sourceIdentifier: "A new dog")
    // end
}
