package import CofferClauses
package import CofferSchema
import CofferStorage
package import CofferTransactions

/// The source of a list for a view: a publisher, or clauses from which the view creates a publisher.
package enum ListSource<O: DynamicObject> {
    /// A publisher of the program.
    case publisher(ListPublisher<O>)
    /// Clauses; the view creates a publisher when it is shown for the first time.
    case clauses(ListClauses<O>)

    /// The list of a chain.
    package static func chain<B: FetchChainableBuilderType>(_ chain: B, in stack: DataStack) -> Self
    where B.ObjectType == O {
        .clauses(ListClauses(chain.from, nil, chain.fetchClauses, in: stack))
    }

    /// The list of a chain in sections.
    package static func chain<B: SectionMonitorBuilderType>(_ chain: B, in stack: DataStack) -> Self
    where B.ObjectType == O {
        .clauses(ListClauses(chain.from, chain.sectionBy, chain.fetchClauses, in: stack))
    }

    /// Returns the publisher of the list; for clauses, creates a new publisher.
    func makePublisher() -> ListPublisher<O> {
        switch self {
        case .publisher(let publisher): publisher
        case .clauses(let clauses): clauses.stack.onViewQueue(clauses.makePublisher) ?? clauses.makePublisher()
        }
    }

    /// Whether both are the same publisher, or clauses for the same list of one data stack.
    ///
    /// A view is created again whenever its parent changes. Its list is fetched again only if its clauses differ.
    func isSameList(as other: Self) -> Bool {
        switch (self, other) {
        case (.publisher(let left), .publisher(let right)): left === right
        case (.clauses(let left), .clauses(let right)): left.isSameList(as: right)
        default: false
        }
    }
}

/// The clauses of a list, and the data stack that fetches the list.
package struct ListClauses<O: DynamicObject> {
    let from: From<O>
    let sectionBy: SectionBy<O>?
    let clauses: [any FetchClause]
    let stack: DataStack

    package init(_ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause], in stack: DataStack) {
        self.from = from
        self.sectionBy = sectionBy
        self.clauses = clauses
        self.stack = stack
    }

    func makePublisher() -> ListPublisher<O> {
        sectionBy.map { stack.publishList(from, $0, clauses) } ?? stack.publishList(from, clauses)
    }

    /// Whether both describe the same request; the closures of two `SectionBy` are not compared.
    func isSameList(as other: Self) -> Bool {
        stack === other.stack && from.entityClass == other.from.entityClass
            && from.configurations == other.from.configurations && sectionBy?.keyPath == other.sectionBy?.keyPath
            && request.isSame(as: other.request)
    }

    private var request: FetchRequest {
        let request = FetchRequest(entityName: "")
        for clause in clauses { clause.applyToFetchRequest(request) }
        return request
    }
}

extension FetchRequest {
    fileprivate func isSame(as other: FetchRequest) -> Bool {
        predicate == other.predicate && sortDescriptors == other.sortDescriptors && fetchLimit == other.fetchLimit
            && isEmpty == other.isEmpty && fetchOffset == other.fetchOffset
            && includesPendingChanges == other.includesPendingChanges
            && includesSubentities == other.includesSubentities
            && affectedStores?.map { ObjectIdentifier($0) } == other.affectedStores?.map { ObjectIdentifier($0) }
    }
}
