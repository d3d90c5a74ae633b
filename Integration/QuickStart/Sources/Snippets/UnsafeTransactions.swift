import Coffer

@MainActor
func unsafeTransactions(_ stack: DataStack) throws {
    // snippet: unsafe-transactions
    let draft = stack.beginUnsafe(supportsUndo: true)
    let rex = try draft.fetchOne(From<Dog>().where(\.$nickname == "Rex"))
    for nickname in ["Duke", "King"] { draft.flush { rex?.nickname = nickname } }
    draft.undo()
    try draft.commitAndWait()
    print("He is called", try stack.fetchAll(From<Dog>().where(\.$age == 3)).map(\.nickname))
    // end
}
