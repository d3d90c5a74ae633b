public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// A `select` clause: the terms that a query returns, and the type of the results.
///
/// ```swift
/// let oldest = try stack.queryValue(From<Person>(), Select<Person, Int>(.maximum(\.$age)))
/// let rows = try stack.queryAttributes(From<Person>(), Select<Person, NSDictionary>("name", "age"))
/// ```
///
/// A query with a type of single values returns the first term, and ignores the others. A value of another type reads
/// as nil. A term with an unknown name makes the query throw `invalidRequest`.
public struct Select<O: DynamicObject, T: SelectResultType>: SelectClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O
    /// The type of the results.
    public typealias ReturnType = T

    /// The terms, one for each value of a result.
    public let selectTerms: [SelectTerm<O>]

    /// A selection of one or several terms: `Select<Person, Int>(.maximum(\.$age))`.
    public init(_ selectTerm: SelectTerm<O>, _ selectTerms: SelectTerm<O>...) {
        self.init([selectTerm] + selectTerms)
    }

    /// Selects a list of terms.
    public init(_ selectTerms: [SelectTerm<O>]) { self.selectTerms = selectTerms }

}

/// Whether two clauses select the same terms; the types of the results may differ.
public func == <O, T1, T2>(lhs: Select<O, T1>, rhs: Select<O, T2>) -> Bool {
    lhs.selectTerms == rhs.selectTerms
}

extension Select where T == ObjectID {
    /// Selects the id of the object.
    public init() { self.init(.objectID()) }
}

extension Select where O: CoreStoreObject, T: FieldStorableType {
    /// Selects a field: `Select(\Person.$age)`.
    public init<B>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<T>>) { self.init(.attribute(keyPath)) }

    /// Selects a field; a null value reads as nil.
    public init<B>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<T?>>) { self.init(.attribute(keyPath)) }
}

extension Select where T: FieldStorableType {
    /// Selects a path or a computed value: `Select(\Dog.$master ~ \.$name)`.
    public init<Trait>(_ expression: Where<O>.Expression<Trait, T>) { self.init(.attribute(expression)) }

    /// Selects a path or a computed value; a null value reads as nil.
    public init<Trait>(_ expression: Where<O>.Expression<Trait, T?>) { self.init(.attribute(expression)) }
}

extension Select: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the names of the terms.
    public var description: String {
        "Select<\(O.self), \(T.self)>(\(selectTerms.map(\.alias).joined(separator: ", ")))"
    }

    /// The terms and the type of the results.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("resultType", T.self),
            ("selectTerms", selectTerms),
        ])
    }
}
