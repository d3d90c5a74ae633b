import CofferSchema
import CofferStorage
public import Foundation

// Names of Core Data and Foundation that programs written for CoreStore use. Each says what to write here.

extension Where {
    /// A predicate of Foundation's cannot be read.
    @available(
        *, unavailable, message: "Write 'Where(\"age > %d\", 3)': the format string itself, without NSPredicate."
    )
    public init(_ predicate: NSPredicate) {
        self.init(false)
    }
}

extension OrderBy {
    /// An order of Foundation's cannot be read.
    @available(*, unavailable, message: "Write 'OrderBy(.ascending(\"age\"))' instead of an NSSortDescriptor.")
    public init(_ sortDescriptor: NSSortDescriptor) {
        self.init([SortKey]())
    }

    /// An order of Foundation's cannot be read.
    @available(*, unavailable, message: "Write 'OrderBy(.ascending(\"age\"))' instead of NSSortDescriptors.")
    public init(_ sortDescriptors: [NSSortDescriptor]) {
        self.init([SortKey]())
    }
}

#if !canImport(CoreData)
    /// Core Data's objects, which there are none of.
    @available(*, unavailable, message: "Declare a subclass of CoreStoreObject, with '@Field.Stored' properties.")
    open class NSManagedObject {
        /// None.
        public init() {}
    }

    /// Core Data's request.
    @available(*, unavailable, message: "Write 'FetchRequest', which a Tweak changes, or 'From<Person>().where { … }'.")
    open class NSFetchRequest<ResultType> {
        /// None.
        public init() {}
        /// None.
        public init(entityName: String) {}
    }
#endif
