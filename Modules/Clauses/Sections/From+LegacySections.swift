public import CofferSchema

/// Properties that were declared before `Field` was there.
extension From where O: CoreStoreObject {
    /// Divides the list into sections, by a value.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Required<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections, by a value that may be missing.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Optional<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections, by a archived object.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Required<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections, by a archived object that may be missing.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Optional<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections with index titles, by a value.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Required<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }

    /// Divides the list into sections with index titles, by a value that may be missing.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, ValueContainer<O>.Optional<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }

    /// Divides the list into sections with index titles, by a archived object.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Required<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }

    /// Divides the list into sections with index titles, by a archived object that may be missing.
    public func sectionBy<T>(
        _ sectionKeyPath: KeyPath<O, TransformableContainer<O>.Optional<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }
}
