#if canImport(SwiftUI)
    public import CofferClauses
    public import CofferObservation
    public import CofferSchema
    public import CofferTransactions
    public import SwiftUI

    /// A list in a view, which is shown again after each commit that changes the list.
    ///
    /// ```swift
    /// struct People: View {
    ///     @ListState(From<Person>().orderBy(.ascending(\.$name)), in: stack)
    ///     var people: ListSnapshot<Person>
    ///
    ///     var body: some View {
    ///         List {
    ///             ForEach(objectIn: people) { PersonRow(person: $0) }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The property is a ``ListSnapshot``; `$people` is its ``ListPublisher``. The list is fetched when the view is shown for
    /// the first time, and followed until SwiftUI discards the state of the view. If a parent creates the view again, the
    /// list is fetched again only if the publisher or the clauses differ.
    ///
    /// A list that cannot be fetched is empty, and the error is logged. If the view queue of the data stack is not the main
    /// queue, the list is empty until that queue has answered.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @propertyWrapper
    public struct ListState<O: DynamicObject>: DynamicProperty {
        @State private var list = FollowedList<O>()
        private let source: ListSource<O>

        // MARK: Creating

        /// Follows the list of a publisher.
        ///
        /// ```swift
        /// @ListState var people: ListSnapshot<Person>
        ///
        /// init(listPublisher: ListPublisher<Person>) {
        ///     _people = .init(listPublisher)
        /// }
        /// ```
        public init(_ listPublisher: ListPublisher<O>) { source = .publisher(listPublisher) }

        /// Follows the list of a chain of clauses, which must have an order.
        ///
        /// ```swift
        /// @ListState(From<Person>().where(\.$isMember == true).orderBy(.ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init<B: FetchChainableBuilderType>(
            _ clauseChain: B, in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) where B.ObjectType == O {
            source = .chain(clauseChain, in: dataStack)
        }

        /// Follows the list of a chain of clauses in sections.
        ///
        /// Objects with the same value form one section, also where the order has them apart.
        ///
        /// ```swift
        /// @ListState(From<Person>().sectionBy(\.$age).orderBy(.ascending(\.$age), .ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init<B: SectionMonitorBuilderType>(
            _ clauseChain: B, in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) where B.ObjectType == O {
            source = .chain(clauseChain, in: dataStack)
        }

        /// Follows the list of some clauses, one of which must be an order.
        ///
        /// ```swift
        /// @ListState(From<Person>(), OrderBy<Person>(.ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init(
            _ from: From<O>, _ fetchClauses: any FetchClause...,
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            self.init(from, fetchClauses, in: dataStack)
        }

        /// Follows the list of some clauses, one of which must be an order.
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init(
            _ from: From<O>, _ fetchClauses: [any FetchClause],
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            source = .clauses(ListClauses(from, nil, fetchClauses, in: dataStack))
        }

        /// Follows the list of some clauses in sections.
        ///
        /// Objects with the same value form one section, also where the order has them apart.
        ///
        /// ```swift
        /// @ListState(From<Person>(), SectionBy(\.$age), OrderBy<Person>(.ascending(\.$age)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init(
            _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...,
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            self.init(from, sectionBy, fetchClauses, in: dataStack)
        }

        /// Follows the list of some clauses in sections.
        ///
        /// Objects with the same value form one section, also where the order has them apart.
        ///
        /// - Parameter dataStack: ``CoreStoreDefaults/dataStack`` unless another is given.
        public init(
            _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause],
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            source = .clauses(ListClauses(from, sectionBy, fetchClauses, in: dataStack))
        }

        // MARK: Reading

        /// The list as the last commit left it.
        @MainActor
        public var wrappedValue: ListSnapshot<O> {
            list.begin(source)
            return list.snapshot
        }

        /// The publisher of the list.
        @MainActor
        public var projectedValue: ListPublisher<O> { list.begin(source) }

        /// Called by SwiftUI before the view is shown: follows the list.
        public func update() {
            // Unsafe: SwiftUI calls this on the main actor, and the closure does not leave it.
            nonisolated(unsafe) let state = self
            MainActor.assumeIsolated { _ = state.list.follow(state.source) }
        }
    }
#endif
