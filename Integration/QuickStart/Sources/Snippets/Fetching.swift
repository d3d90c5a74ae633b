import Coffer

@MainActor
func fetching(_ stack: DataStack) throws {
    // snippet: fetching
    let grown = try stack.fetchAll(
        From<Dog>().where { $0.$age >= 2 && $0.$nickname != "Bello" }.orderBy(
            .descending(\.$age), .ascending(\.$nickname))
    )
    print(grown.map(\.nickname))
    let owners = try stack.fetchAll(
        From<Person>().where { $0.$pets.count() == 2 && ($0.$pets ~ \.$age).any() > 8 }
    )
    print(owners.map(\.name))
    let average = try stack.queryValue(From<Dog>().select(Double.self, .average(\.$age)))
    print("They are \(average ?? 0) years old on average.")
    // end
}
