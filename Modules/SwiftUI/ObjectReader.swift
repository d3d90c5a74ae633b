#if canImport(SwiftUI)
    public import CofferObservation
    public import CofferSchema
    public import SwiftUI

    /// A SwiftUI view of an object, whose content is created again after each commit that changes the object.
    ///
    /// ```swift
    /// ObjectReader(person) { person in
    ///     Text(person.$name)
    /// } placeholder: {
    ///     Text("Record not found")
    /// }
    /// ```
    ///
    /// The view shows the placeholder if the object was deleted, or if there is no publisher. In these cases, a view
    /// without a placeholder shows nothing.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public struct ObjectReader<Object: DynamicObject, Content: View, Placeholder: View, Value>: View {
        @ObjectState private var object: ObjectSnapshot<Object>?
        private let content: (ObjectSnapshot<Object>) -> Content
        private let placeholder: () -> Placeholder

        /// Creates a view of an object, which shows nothing after the object was deleted.
        ///
        /// - Parameter content: creates the content from the values of the object after the last commit.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?,
            @ViewBuilder content: @escaping (ObjectSnapshot<Object>) -> Content
        ) where Value == ObjectSnapshot<Object>, Placeholder == EmptyView {
            self.init(objectPublisher, content: content, placeholder: { EmptyView() })
        }

        /// Creates a view of an object.
        ///
        /// - Parameters:
        ///   - content: creates the content from the values of the object after the last commit.
        ///   - placeholder: creates the view that is shown after the object was deleted.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?,
            @ViewBuilder content: @escaping (ObjectSnapshot<Object>) -> Content,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) where Value == ObjectSnapshot<Object> {
            _object = ObjectState(objectPublisher)
            self.content = content
            self.placeholder = placeholder
        }

        /// Creates a view of one value of an object, which shows nothing after the object was deleted.
        ///
        /// ```swift
        /// ObjectReader(person, keyPath: \.$name) { name in
        ///     Text("Name: \(name)")
        /// }
        /// ```
        ///
        /// - Parameter content: creates the content from the value.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?, keyPath: KeyPath<ObjectSnapshot<Object>, Value>,
            @ViewBuilder content: @escaping (Value) -> Content
        ) where Placeholder == EmptyView {
            self.init(objectPublisher, keyPath: keyPath, content: content, placeholder: { EmptyView() })
        }

        /// Creates a view of one value of an object.
        ///
        /// - Parameters:
        ///   - content: creates the content from the value.
        ///   - placeholder: creates the view that is shown after the object was deleted.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?, keyPath: KeyPath<ObjectSnapshot<Object>, Value>,
            @ViewBuilder content: @escaping (Value) -> Content,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) {
            _object = ObjectState(objectPublisher)
            self.content = { content($0[keyPath: keyPath]) }
            self.placeholder = placeholder
        }

        /// The content, or the placeholder.
        public var body: some View {
            if let object {
                content(object)
            } else {
                placeholder()
            }
        }
    }
#endif
