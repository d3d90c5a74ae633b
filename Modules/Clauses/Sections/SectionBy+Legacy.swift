public import CofferSchema
import CofferStorage

/// Properties that were declared before `Field` was there.
extension SectionBy where O: CoreStoreObject {
    /// Sections by a value, without index titles.
    public init<T>(_ sectionKeyPath: KeyPath<O, ValueContainer<O>.Required<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a value that may be missing, without index titles.
    public init<T>(_ sectionKeyPath: KeyPath<O, ValueContainer<O>.Optional<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a archived object, without index titles.
    public init<T>(_ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Required<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a archived object that may be missing, without index titles.
    public init<T>(_ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Optional<T>>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a value, with index titles.
    public init<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Required<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }

    /// Sections by a value that may be missing, with index titles.
    public init<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Optional<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }

    /// Sections by a archived object, with index titles.
    public init<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Required<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }

    /// Sections by a archived object that may be missing, with index titles.
    public init<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Optional<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }
}
