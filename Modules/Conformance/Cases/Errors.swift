import CofferStorage

/// The cases about errors: each error has its code, and leaves the store unchanged.
extension ConformanceCase {
    /// Each error has a code, and leaves the store unchanged.
    static let errors: [ConformanceCase] = [
        withStore("errors/closed", "Reading, writing and reserving keys after closing throws 'closed'.") { session in
            try session.insert("Tag")
            session.store.close()
            let request = try session.entity("Tag").request()
            try expectThrows(.closed, "reading") { try session.rows(request) }
            try expectThrows(.closed, "committing") { try session.store.commit(ChangeSet()) }
            try expectThrows(.closed, "reserving keys") { try session.newKey("Tag") }
        },
        ConformanceCase("errors/not-opened", "Reading and writing in a store that was never opened throws 'closed'.") {
            let store = try $0.makeStore()
            try expectThrows(.closed, "creating a reader") { try store.makeReader() }
            try expectThrows(.closed, "committing") { try store.commit(ChangeSet()) }
            try expectThrows(.closed, "reserving keys") { try store.reserveKeys(1, root: 0) }
        },
        ConformanceCase("errors/close-twice", "Closing a closed or unopened store has no effect.") {
            let session = try $0.open()
            session.store.close()
            session.store.close()
            try $0.makeStore().close()
        },
        withTown("errors/invalid-request", "A request that does not fit the model throws 'invalidRequest'.") { town in
            let nowhere = RowRequest(entity: 99)
            try expectThrows(.invalidRequest, "a missing entity") { try town.rows(nowhere) }
            let (person, name) = (try town.person, try town.person["name"])
            let column = RowExpression.column(slot: 99, kind: .text)
            let request = person.request(where: column == .text("x"))
            try expectThrows(.invalidRequest, "a missing slot") { try town.count(request) }
            let ungrouped = person.values([.expression(name), .aggregate(.count, .key)])
            try expectThrows(.invalidRequest, "a term that is neither grouped nor aggregated") {
                try town.values(ungrouped)
            }
            let summed = person.values([.aggregate(.sum, name)])
            try expectThrows(.invalidRequest, "the sum of a string") { try town.values(summed) }
            try town.expectNames(of: person, Session.everyone, "the people after the errors")
        },
        withTown("errors/no-values", "The message of an error contains no stored values.") { town in
            let secret = "s3cret-\(town.metadata.store)"
            try town.insert("Book", ["isbn": .text(secret)])
            let error = try town.expectRefused(.uniqueViolation, "a second book with the same isbn") {
                try $0.update("Emma", ["isbn": .text(secret)])
            }
            try expect(!error.description.contains(secret), "a description without the value, and found: \(error)")
            try expect(
                !error.debugDescription.contains(secret),
                "a tree without the value, and found: \(error.debugDescription)")
            try expect(!error.message.isEmpty, "a message")
        },
        withTown(
            "errors/unique-names-attribute", "A unique violation names the entity and an attribute of the constraint."
        ) { town in
            let error = try town.expectRefused(.uniqueViolation, "a second book with the same isbn") {
                try $0.update("Emma", ["isbn": .text("1")])
            }
            let text = error.debugDescription
            try expect(text.contains("Book") && text.contains("isbn"), "'Book' and 'isbn', and found: \(text)")
        },
        ConformanceCase(
            "errors/schema-mismatch",
            "Opening a store with data of another model throws 'schemaMismatch' and changes nothing."
        ) {
            try refusesAnotherModel($0)
        },
        ConformanceCase(
            "errors/describes-itself", "A store describes its type and its place, before and after it is opened."
        ) {
            let store = try $0.makeStore()
            try expect(!type(of: store).storeType.isEmpty, "a store type")
            let before = store.storeDescription
            try expect(!before.isEmpty, "a description")
            _ = try store.open(ModelLayout(Domain.model))
            try expectEqual(store.storeDescription, before, "the description, after opening")
        },
        withTown("errors/reader-survives-error", "A reader can be used again after a failed request.") { town in
            try town.read { reader in
                try expectThrows(.invalidRequest, "a missing entity") {
                    try reader.rows(RowRequest(entity: 99))
                }
                try expectEqual(try reader.count(town.person.request()), 6, "the people")
            }
        },
    ]

    private static func refusesAnotherModel(_ context: TestContext) throws {
        let otherModel = Domain.model.next {
            $0.change("Tag") {
                $0.attributes.append(.init(name: "color", type: .stringAttributeType, isOptional: true))
            }
        }
        let session = try context.open()
        let key = try session.insert("Tag", ["label": .text("kept")])
        session.store.close()
        guard context.isPersistent else {
            _ = try context.open(otherModel)
            return
        }
        try expectThrows(.schemaMismatch, "opening with another model") { try context.open(otherModel) }
        try expectEqual(try context.makeStore().inspect(), session.metadata, "the metadata of the store")
        try context.open().expectRow("Tag", key, ["label": .text("kept")])
    }
}
