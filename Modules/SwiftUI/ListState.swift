#if canImport(SwiftUI)
    public import CofferClauses
    public import CofferObservation
    public import CofferSchema
    public import CofferTransactions
    public import SwiftUI

    /// A property wrapper for a list in a SwiftUI view, which is shown again after each change of the list.
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
    /// The property is a ``ListSnapshot``; `$people` is its ``ListPublisher``. The list is fetched when SwiftUI shows
    /// the view for the first time. The view observes the list until SwiftUI discards the state of the view. If a
    /// parent creates the view again, the list is fetched again only if the publisher or the clauses differ.
    ///
    /// If the list cannot be fetched, it is empty, and the error is logged. If the view queue of the data stack is not
    /// the main queue, the list is empty until the view queue has read it.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @propertyWrapper
    public struct ListState<O: DynamicObject>: DynamicProperty {
        @State private var list = FollowedList<O>()
        private let source: ListSource<O>

        // MARK: Creating

        /// Observes the list of a publisher.
        ///
        /// ```swift
        /// @ListState var people: ListSnapshot<Person>
        ///
        /// init(listPublisher: ListPublisher<Person>) {
        ///     _people = .init(listPublisher)
        /// }
        /// ```
        public init(_ listPublisher: ListPublisher<O>) { source = .publisher(listPublisher) }

        /// Observes the list of a chain of clauses, which must have an order.
        ///
        /// ```swift
        /// @ListState(From<Person>().where(\.$isMember == true).orderBy(.ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init<B: FetchChainableBuilderType>(
            _ clauseChain: B, in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) where B.ObjectType == O {
            source = .chain(clauseChain, in: dataStack)
        }

        /// Observes the list of a chain of clauses, in sections.
        ///
        /// Objects with the same value form one section, even if the order separates them.
        ///
        /// ```swift
        /// @ListState(From<Person>().sectionBy(\.$age).orderBy(.ascending(\.$age), .ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init<B: SectionMonitorBuilderType>(
            _ clauseChain: B, in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) where B.ObjectType == O {
            source = .chain(clauseChain, in: dataStack)
        }

        /// Observes the list of some clauses, one of which must be an order.
        ///
        /// ```swift
        /// @ListState(From<Person>(), OrderBy<Person>(.ascending(\.$name)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init(
            _ from: From<O>, _ fetchClauses: any FetchClause...,
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            self.init(from, fetchClauses, in: dataStack)
        }

        /// Observes the list of an array of clauses, one of which must be an order.
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init(
            _ from: From<O>, _ fetchClauses: [any FetchClause],
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            source = .clauses(ListClauses(from, nil, fetchClauses, in: dataStack))
        }

        /// Observes the list of some clauses, in sections.
        ///
        /// Objects with the same value form one section, even if the order separates them.
        ///
        /// ```swift
        /// @ListState(From<Person>(), SectionBy(\.$age), OrderBy<Person>(.ascending(\.$age)), in: stack)
        /// var people: ListSnapshot<Person>
        /// ```
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init(
            _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...,
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            self.init(from, sectionBy, fetchClauses, in: dataStack)
        }

        /// Observes the list of an array of clauses, in sections.
        ///
        /// Objects with the same value form one section, even if the order separates them.
        ///
        /// - Parameter dataStack: the data stack; by default ``CoreStoreDefaults/dataStack``.
        public init(
            _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause],
            in dataStack: DataStack = CoreStoreDefaults.dataStack
        ) {
            source = .clauses(ListClauses(from, sectionBy, fetchClauses, in: dataStack))
        }

        // MARK: Reading

        /// The snapshot of the list after the last commit.
        @MainActor
        public var wrappedValue: ListSnapshot<O> {
            list.begin(source)
            return list.snapshot
        }

        /// The publisher of the list.
        @MainActor
        public var projectedValue: ListPublisher<O> { list.begin(source) }

        /// Begins to observe the list; SwiftUI calls this method before it shows the view.
        public func update() {
            // Unsafe: SwiftUI calls this on the main actor, and the closure does not leave it.
            nonisolated(unsafe) let state = self
            MainActor.assumeIsolated { _ = state.list.follow(state.source) }
        }
    }
#endif
