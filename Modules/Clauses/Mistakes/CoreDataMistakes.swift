import CofferSchema
import CofferStorage
public import Foundation

// Programs that were written for CoreStore use these names of Core Data and Foundation. The message of each name
// states the replacement.

/// Explains a mistake at compile time: a program uses predicates or classes of Foundation or Core Data.
extension Where {
    /// A condition cannot be created from a predicate of Foundation.
    @available(
        *, unavailable, message: "Write 'Where(\"age > %d\", 3)': the format string itself, without NSPredicate."
    )
    public init(_ predicate: NSPredicate) { self.init(false) }
}

extension OrderBy {
    /// An order cannot be created from a sort descriptor of Foundation.
    @available(*, unavailable, message: "Write 'OrderBy(.ascending(\"age\"))' instead of an NSSortDescriptor.")
    public init(_ sortDescriptor: NSSortDescriptor) { self.init([SortKey]()) }

    /// An order cannot be created from a sort descriptor of Foundation.
    @available(*, unavailable, message: "Write 'OrderBy(.ascending(\"age\"))' instead of NSSortDescriptors.")
    public init(_ sortDescriptors: [NSSortDescriptor]) { self.init([SortKey]()) }
}

#if !canImport(CoreData)
    /// The class of Core Data's objects, which does not exist without Core Data.
    @available(*, unavailable, message: "Declare a subclass of CoreStoreObject, with '@Field.Stored' properties.")
    open class NSManagedObject {
        /// This initialiser is unavailable.
        public init() {}
    }

    /// The class of Core Data's requests, which does not exist without Core Data.
    @available(*, unavailable, message: "Use 'FetchRequest' in a 'Tweak', or write 'From<Person>().where { … }'.")
    open class NSFetchRequest<ResultType> {
        /// This initialiser is unavailable.
        public init() {}
        /// This initialiser is unavailable.
        public init(entityName: String) {}
    }
#endif
