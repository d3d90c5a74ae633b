public import CofferSchema
public import CofferStorage

/// The beginning of a chain of clauses for a list in sections.
extension From {
    /// Divides the list into sections.
    public func sectionBy(_ clause: SectionBy<O>) -> SectionMonitorChainBuilder<O> {
        SectionMonitorChainBuilder(from: self, sectionBy: clause, fetchClauses: [])
    }

    /// Divides the list into sections, by the name of a field.
    public func sectionBy(_ sectionKeyPath: KeyPathString) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections with index titles, by the name of a field.
    public func sectionBy(
        _ sectionKeyPath: KeyPathString, sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }
}

extension From where O: CoreStoreObject {
    /// Divides the list into sections, by a stored field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Stored<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections, by a virtual field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections, by a coded field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Coded<T>>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections with index titles, by a stored field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Stored<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }

    /// Divides the list into sections with index titles, by a virtual field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }

    /// Divides the list into sections with index titles, by a coded field.
    public func sectionBy<B, T>(
        _ sectionKeyPath: KeyPath<O, FieldContainer<B>.Coded<T>>,
        sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }
}
