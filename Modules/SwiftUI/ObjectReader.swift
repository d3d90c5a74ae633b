#if canImport(SwiftUI)
    public import CofferObservation
    public import CofferSchema
    public import SwiftUI

    /// A view of an object, whose content is created again after each commit that changes or deletes the object.
    ///
    /// ```swift
    /// ObjectReader(person) { person in
    ///     Text(person.$name)
    /// } placeholder: {
    ///     Text("Record not found")
    /// }
    /// ```
    ///
    /// The placeholder is shown once the object is deleted, and where there is no publisher. Without a placeholder nothing is
    /// shown then.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public struct ObjectReader<Object: DynamicObject, Content: View, Placeholder: View, Value>: View {
        @ObjectState private var object: ObjectSnapshot<Object>?
        private let content: (ObjectSnapshot<Object>) -> Content
        private let placeholder: () -> Placeholder

        /// A view of an object, which shows nothing once the object is deleted.
        ///
        /// - Parameter content: creates the content from the object's values as the last commit left them.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?,
            @ViewBuilder content: @escaping (ObjectSnapshot<Object>) -> Content
        ) where Value == ObjectSnapshot<Object>, Placeholder == EmptyView {
            self.init(objectPublisher, content: content, placeholder: { EmptyView() })
        }

        /// A view of an object.
        ///
        /// - Parameters:
        ///   - content: creates the content from the object's values as the last commit left them.
        ///   - placeholder: creates what is shown once the object is deleted.
        public init(
            _ objectPublisher: ObjectPublisher<Object>?,
            @ViewBuilder content: @escaping (ObjectSnapshot<Object>) -> Content,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) where Value == ObjectSnapshot<Object> {
            _object = ObjectState(objectPublisher)
            self.content = content
            self.placeholder = placeholder
        }

        /// A view of one value of an object, which shows nothing once the object is deleted.
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

        /// A view of one value of an object.
        ///
        /// - Parameters:
        ///   - content: creates the content from the value.
        ///   - placeholder: creates what is shown once the object is deleted.
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
