/// The options of a store in a file: they allow or prevent migration and recreation of a file with another model.
///
/// ```swift
/// let store = SQLiteStore(fileName: "people.sqlite", localStorageOptions: .allowSynchronousLightweightMigration)
/// try stack.addStorageAndWait(store)
/// ```
///
/// Without options, `addStorageAndWait` throws `schemaMismatch`, and `addStorage` migrates the store.
public struct LocalStorageOptions: OptionSet, ExpressibleByNilLiteral, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// No option.
    public static let none = LocalStorageOptions([])
    /// A store that cannot be migrated is erased and recreated, and **all of its data are lost**.
    ///
    /// The event is logged as a warning. Use it for caches.
    public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
    /// A store that needs more than one migration step is refused with `progressiveMigrationRequired`.
    public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
    /// `addStorageAndWait` may migrate the store at once, if no step needs code of the program.
    ///
    /// If a step needs code, the call throws `asynchronousMigrationRequired`.
    public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)

    /// Options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No options.
    public init(nilLiteral: ()) { self = .none }
}

extension LocalStorageOptions: CustomStringConvertible {
    /// The names of the options: `[recreateStoreOnModelMismatch]`.
    public var description: String {
        let names: [(LocalStorageOptions, String)] = [
            (.recreateStoreOnModelMismatch, "recreateStoreOnModelMismatch"),
            (.preventProgressiveMigration, "preventProgressiveMigration"),
            (.allowSynchronousLightweightMigration, "allowSynchronousLightweightMigration"),
        ]
        return "[\(names.filter { contains($0.0) }.map(\.1).joined(separator: ", "))]"
    }
}
