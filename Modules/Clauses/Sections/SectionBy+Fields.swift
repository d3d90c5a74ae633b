public import CofferSchema
import CofferStorage

extension SectionBy where O: CoreStoreObject {
    /// Sections by a stored field, without index titles.
    public init<B, T>(_ sectionKeyPath: KeyPath<O, FieldContainer<B>.Stored<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a virtual field, without index titles.
    public init<B, T>(_ sectionKeyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a coded field, without index titles.
    public init<B, T>(_ sectionKeyPath: KeyPath<O, FieldContainer<B>.Coded<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a stored field, with index titles.
    public init<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Stored<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }

    /// Sections by a virtual field, with index titles.
    public init<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }

    /// Sections by a coded field, with index titles.
    public init<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Coded<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }
}
