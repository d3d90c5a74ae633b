import CofferConformance
import CofferPostgreSQL
import CofferStorage
import TestSupport

/// A fixture in a schema of its own.
struct PostgreSQLConformanceFixture: StorageFixture {
    static let isShared = true

    private let schema = Postgres.newSchema()

    func makeStore() throws -> any StorageInterface { try Postgres.store(schema) }

    func destroy() { try? Postgres.store(schema).erase() }
}
