public import CofferSchema

/// A list in sections under construction: where to look, what divides it, then clauses in the order they are applied.
///
/// ```swift
/// From<Person>().sectionBy(\.$city).where { $0.$age >= 18 }.orderBy(.ascending(\.$city), .ascending(\.$name))
/// ```
///
/// A chain is a value: adding a clause makes a new one.
public struct SectionMonitorChainBuilder<O: DynamicObject>: SectionMonitorBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O

    /// Where to look.
    public var from: From<O>
    /// What divides the list into sections.
    public var sectionBy: SectionBy<O>
    /// The clauses, in the order they are applied.
    public var fetchClauses: [any FetchClause]
}
