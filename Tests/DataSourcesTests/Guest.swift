import Coffer
import TestSupport

/// The model of the tests: guests at tables.
final class Guest: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("table") var table: String = ""

    static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Guest>("Guest")])

    /// Guests by table and name.
    static var seated: SectionMonitorChainBuilder<Guest> {
        From<Guest>().sectionBy(\.$table).orderBy(.ascending(\.$table), .ascending(\.$name))
    }
    /// Guests by name, in one section.
    static var named: FetchChainBuilder<Guest> { From<Guest>().orderBy(.ascending(\.$name)) }
}

extension DataStack {
    /// Adds a guest.
    @discardableResult
    func seat(_ name: String, at table: String = "") throws -> ObjectID {
        try perform(synchronous: { transaction in
            let guest = transaction.create(Into<Guest>())
            (guest.name, guest.table) = (name, table)
            return guest.objectID()
        })
    }

    /// Changes the guest with a name.
    func edit(_ name: String, _ change: @escaping (Guest) -> Void) throws {
        try perform(synchronous: { transaction in
            try transaction.fetchOne(From<Guest>().where(\.$name == name)).map(change)
        })
    }

    /// Deletes the guest with a name.
    func dismiss(_ name: String) throws {
        try perform(synchronous: { transaction in
            _ = try transaction.deleteAll(From<Guest>().where(\.$name == name))
        })
    }
}
