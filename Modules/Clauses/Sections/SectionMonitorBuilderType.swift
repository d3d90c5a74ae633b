public import CofferSchema

/// A fetch of a list in sections, of objects of a known class.
///
/// ``SectionMonitorChainBuilder`` is the only kind there is.
public protocol SectionMonitorBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// Where to look.
    var from: From<ObjectType> { get set }
    /// What divides the list into sections.
    var sectionBy: SectionBy<ObjectType> { get set }
    /// The clauses, in the order they are applied.
    var fetchClauses: [any FetchClause] { get set }
}
