public import CofferSchema
public import CofferStorage

/// Begins a chain of clauses for a list in sections: `sectionBy`.
extension From {
    /// Divides the list into sections by a clause: `From<Person>().sectionBy(SectionBy(\.$city))`.
    public func sectionBy(_ clause: SectionBy<O>) -> SectionMonitorChainBuilder<O> {
        SectionMonitorChainBuilder(from: self, sectionBy: clause, fetchClauses: [])
    }

    /// Divides the list into sections by the name of a field, or by a path such as `"master.name"`.
    ///
    /// All relationships of the path must be to-one relationships. An unknown name makes the list empty, and the
    /// error is logged.
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
    /// Divides the list into sections by a field.
    ///
    /// ```swift
    /// let people = stack.publishList(
    ///     From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
    /// )
    /// ```
    ///
    /// Objects with the same value form one section, whose name is the value as a string. The first section contains
    /// the first object of the order. If the order separates objects of one section, the list moves them together.
    ///
    /// A list needs an order; without an order, an assertion fails.
    public func sectionBy<K: AttributeKeyPathStringConvertible>(
        _ sectionKeyPath: KeyPath<O, K>
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath))
    }

    /// Divides the list into sections by a field, and gives each section an index title.
    ///
    /// ```swift
    /// let people = From<Person>().sectionBy(\.$name, sectionIndexTransformer: { $0.map { String($0.prefix(1)) } })
    /// ```
    ///
    /// - Parameter sectionIndexTransformer: returns the index title for the name of a section; nil for none.
    public func sectionBy<K: AttributeKeyPathStringConvertible>(
        _ sectionKeyPath: KeyPath<O, K>, sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) -> SectionMonitorChainBuilder<O> {
        sectionBy(SectionBy(sectionKeyPath, sectionIndexTransformer: sectionIndexTransformer))
    }
}
