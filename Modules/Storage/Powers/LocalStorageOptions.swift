/// How a local store behaves when it is added to a data stack.
public struct LocalStorageOptions: OptionSet, ExpressibleByNilLiteral, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Nothing special.
    public static let none = LocalStorageOptions([])
    /// A store whose model is not the required one is erased and recreated.
    public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
    /// A store is not taken through more than one migration.
    public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
    /// Adding a store may migrate it at once, when the changes can be inferred.
    public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)

    /// Options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No options.
    public init(nilLiteral: ()) {
        self = .none
    }
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
