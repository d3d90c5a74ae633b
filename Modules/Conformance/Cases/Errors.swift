import CofferStorage

/// The cases about errors: each error has its code, and leaves the store unchanged.
extension ConformanceCase {
    /// What goes wrong is told by its code, and leaves the store as it was.
    static let errors: [ConformanceCase] = [
        ConformanceCase("errors/closed", "Reading, writing and reserving keys after closing throws 'closed'.") {
            let session = try $0.open()
            try session.insert("Tag")
            session.store.close()
            let request = try session.entity("Tag").request()
            try expectThrows(.closed, "reading") { try session.rows(request) }
            try expectThrows(.closed, "committing") { try session.store.commit(ChangeSet()) }
            try expectThrows(.closed, "reserving keys") { try session.newKey("Tag") }
        },
        ConformanceCase("errors/not-opened", "Reading and writing before opening throws 'closed'.") {
            let store = try $0.makeStore()
            try expectThrows(.closed, "making a reader") { try store.makeReader() }
            try expectThrows(.closed, "committing") { try store.commit(ChangeSet()) }
            try expectThrows(.closed, "reserving keys") { try store.reserveKeys(1, root: 0) }
        },
        ConformanceCase("errors/close-twice", "Closing twice, and closing what was never opened, is harmless.") {
            let session = try $0.open()
            session.store.close()
            session.store.close()
            try $0.makeStore().close()
        },
        ConformanceCase("errors/invalid-request", "A request that does not fit the model throws 'invalidRequest'.") {
            let town = try $0.town()
            let nowhere = RowRequest(entity: 99)
            try expectThrows(.invalidRequest, "an entity that is not there") { try town.session.rows(nowhere) }
            let column = RowExpression.column(slot: 99, kind: .text)
            let request = town.person.request(where: column == .text("x"))
            try expectThrows(.invalidRequest, "a slot that is not there") { try town.session.count(request) }
            let ungrouped = ValueRequest(
                rows: town.person.request(), terms: [.expression(try town.person["name"]), .aggregate(.count, .key)])
            try expectThrows(.invalidRequest, "a term that is neither grouped nor aggregated") {
                try town.session.values(ungrouped)
            }
            let summed = ValueRequest(rows: town.person.request(), terms: [.aggregate(.sum, try town.person["name"])])
            try expectThrows(.invalidRequest, "the sum of a text") { try town.session.values(summed) }
            try expectEqual(try town.names(town.person).count, 6, "the people, found afterwards")
        },
        ConformanceCase("errors/no-values", "An error's text does not show stored values.") {
            let town = try $0.town()
            let secret = "s3cret-\(town.metadataText)"
            try town.session.insert("Book", ["isbn": .text(secret)])
            let emma = try town.session.row("Book", town.key("Emma"))
            let error = try expectThrows(.uniqueViolation, "a second book with the same isbn") {
                try town.session.commit { try $0.updates.append(town.book.update(emma, ["isbn": .text(secret)])) }
            }
            try expect(!error.description.contains(secret), "a description without the value, and found: \(error)")
            try expect(
                !error.debugDescription.contains(secret),
                "a tree without the value, and found: \(error.debugDescription)")
            try expect(!error.message.isEmpty, "a message")
        },
        ConformanceCase(
            "errors/unique-names-attribute", "A unique violation names the entity and an attribute of the constraint."
        ) {
            let town = try $0.town()
            let emma = try town.session.row("Book", town.key("Emma"))
            let error = try expectThrows(.uniqueViolation, "a second book with the same isbn") {
                try town.session.commit { try $0.updates.append(town.book.update(emma, ["isbn": .text("1")])) }
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
            "errors/describes-itself", "A store tells its type and which one it is, before and after it is opened."
        ) {
            let store = try $0.makeStore()
            try expect(!type(of: store).storeType.isEmpty, "a store type")
            let before = store.storeDescription
            try expect(!before.isEmpty, "a description")
            _ = try store.open(ModelLayout(Domain.model))
            try expectEqual(store.storeDescription, before, "the description, after opening")
        },
        ConformanceCase("errors/reader-survives-error", "A reader can be used again after a request that failed.") {
            let town = try $0.town()
            let reader = try town.session.store.makeReader()
            defer { reader.finish() }
            try expectThrows(.invalidRequest, "an entity that is not there") { try reader.rows(RowRequest(entity: 99)) }
            try expectEqual(try reader.count(town.person.request()), 6, "the people")
        },
    ]

    private static func refusesAnotherModel(_ context: TestContext) throws {
        guard context.isPersistent else {
            let session = try context.open()
            try session.insert("Tag")
            session.store.close()
            _ = try context.open(otherModel)
            return
        }
        let session = try context.open()
        let key = try session.insert("Tag", ["label": .text("kept")])
        session.store.close()
        try expectThrows(.schemaMismatch, "opening with another model") { try context.open(otherModel) }
        try expectEqual(try context.makeStore().inspect(), session.metadata, "what the store tells about itself")
        let again = try context.open()
        try expectEqual(
            try again.entity("Tag").value("label", of: again.row("Tag", key)), .text("kept"), "the label that was there"
        )
    }

    private static var otherModel: StoreModel {
        var model = Domain.model
        model.version = "V2"
        for index in model.entities.indices where model.entities[index].name == "Tag" {
            model.entities[index].attributes.append(.init(name: "color", type: .stringAttributeType, isOptional: true))
        }
        return model
    }
}

extension Town {
    fileprivate var metadataText: String { "\(session.metadata.store)" }
}
