public import CofferSchema

/// The protocol of chains for lists in sections: the class, the sections and the clauses.
///
/// ``SectionMonitorChainBuilder`` is the only conforming type.
public protocol SectionMonitorBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The class of the objects, and the stores to search.
    var from: From<ObjectType> { get set }
    /// The clause that divides the list into sections.
    var sectionBy: SectionBy<ObjectType> { get set }
    /// The clauses, in the order they are applied.
    var fetchClauses: [any FetchClause] { get set }
}
