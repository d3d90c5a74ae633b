import Coffer

@MainActor
func fetching(_ stack: DataStack) throws {
    // snippet: fetching
    let grown = try stack.fetchAll(
        From<Dog>().where(\.$age >= 2 && \.$nickname != "Bello").orderBy(.descending(\.$age), .ascending(\.$nickname))
    )
    print(grown.map(\.nickname))
    let owners = try stack.fetchAll(
        From<Person>().where((\Person.$pets).count() == 2 && (\Person.$pets ~ \.$age).any() > 8)
    )
    print(owners.map(\.name))
    let average = try stack.queryValue(From<Dog>().select(Double.self, .average(\.$age)))
    print("They are \(average ?? 0) years old on average.")
    // end
}
