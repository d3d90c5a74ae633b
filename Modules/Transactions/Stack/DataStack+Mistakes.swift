import CofferMigration
public import CofferSchema
public import Foundation

/// Forms of CoreStore's that depend on Core Data. Each says what to write here.
extension DataStack {
    /// A stack of an Xcode data model, which cannot be read.
    @available(*, unavailable, message: "Declare the classes, and write 'DataStack(CoreStoreSchema(…))'.")
    public convenience init(
        xcodeModelName: String, bundle: Bundle = .main, migrationChain: [String] = []
    ) {
        self.init(CoreStoreSchema(modelVersion: xcodeModelName, entities: []))
    }

    /// A store of no backend in particular.
    @available(
        *, unavailable, message: "Name the store: 'addStorageAndWait(SQLiteStore())' with 'import CofferSQLite'."
    )
    public func addStorageAndWait() throws(CoreStoreError) {}
}
