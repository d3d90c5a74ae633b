import CofferMigration
public import CofferSchema
public import Foundation

/// Explains a mistake at compile time: a program calls a method of CoreStore that needs Core Data; names replacements.
extension DataStack {
    /// Creates a stack from an Xcode data model, which Coffer cannot read.
    @available(*, unavailable, message: "Declare the classes, and write 'DataStack(CoreStoreSchema(…))'.")
    public convenience init(
        xcodeModelName: String, bundle: Bundle = .main, migrationChain: [String] = []
    ) {
        self.init(CoreStoreSchema(modelVersion: xcodeModelName, entities: []))
    }

    /// Adds a store without the choice of a backend.
    @available(
        *, unavailable, message: "Pass a storage, as in 'addStorageAndWait(SQLiteStore())' with 'import CofferSQLite'."
    )
    public func addStorageAndWait() throws(CoreStoreError) {}
}
