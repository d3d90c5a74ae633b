#if canImport(SwiftUI)
    public import CofferObservation
    public import CofferSchema
    public import SwiftUI

    /// A SwiftUI view of a list, whose content is created again after each commit that changes the list.
    ///
    /// ```swift
    /// ListReader(people) { snapshot in
    ///     ForEach(objectIn: snapshot) { PersonRow(person: $0) }
    /// }
    /// ```
    ///
    /// `people` is a `ListPublisher`; the view keeps it alive. If the list cannot be fetched, the content is created
    /// for an empty list, and the error is logged.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public struct ListReader<Object: DynamicObject, Content: View, Value>: View {
        @ListState private var list: ListSnapshot<Object>
        private let content: (ListSnapshot<Object>) -> Content

        /// Creates a view of a list.
        ///
        /// - Parameter content: creates the content from the list after the last commit.
        public init(
            _ listPublisher: ListPublisher<Object>,
            @ViewBuilder content: @escaping (ListSnapshot<Object>) -> Content
        ) where Value == ListSnapshot<Object> {
            _list = ListState(listPublisher)
            self.content = content
        }

        /// Creates a view of one property of a list.
        ///
        /// ```swift
        /// ListReader(people, keyPath: \.count) { count in
        ///     Text("Number of members: \(count)")
        /// }
        /// ```
        ///
        /// - Parameter content: creates the content from the value of the property.
        public init(
            _ listPublisher: ListPublisher<Object>, keyPath: KeyPath<ListSnapshot<Object>, Value>,
            @ViewBuilder content: @escaping (Value) -> Content
        ) {
            _list = ListState(listPublisher)
            self.content = { content($0[keyPath: keyPath]) }
        }

        /// The content.
        public var body: some View { content(list) }
    }
#endif
