public import CofferStorageTools

/// A clause that changes a request by a closure.
///
/// ```swift
/// let firstPeople = try stack.fetchAll(
///     From<Person>(), OrderBy<Person>(.ascending(\.$name)), Tweak { $0.fetchLimit = 20 }
/// )
/// ```
///
/// Clauses are applied from left to right, so a tweak at the end overrides the clauses before it. The closure cannot
/// throw. A wrong value, such as an unknown key, makes the fetch throw `invalidRequest`.
public struct Tweak: FetchClause, QueryClause, DeleteClause {
    /// The closure that changes the request.
    public let closure: (_ fetchRequest: FetchRequest) -> Void

    /// Creates a clause from a closure that changes the request.
    public init(_ closure: @escaping (_ fetchRequest: FetchRequest) -> Void) { self.closure = closure }

    /// Calls the closure with the request.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) { closure(fetchRequest) }
}

extension Tweak: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The name of the clause.
    public var description: String { "Tweak" }

    /// The type of the closure; the closure is not called.
    public var coreStoreDumpString: String { DumpTree.text([("closure", type(of: closure))]) }
}
