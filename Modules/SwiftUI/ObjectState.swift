#if canImport(SwiftUI)
    public import CofferObservation
    public import CofferSchema
    public import SwiftUI

    /// A property wrapper for an object in a SwiftUI view, which is shown again after each change of the object.
    ///
    /// ```swift
    /// struct Badge: View {
    ///     @ObjectState var person: ObjectSnapshot<Person>?
    ///
    ///     init(objectPublisher: ObjectPublisher<Person>) {
    ///         _person = .init(objectPublisher)
    ///     }
    ///
    ///     var body: some View {
    ///         Text(person?.$name ?? "(deleted)")
    ///     }
    /// }
    /// ```
    ///
    /// The property is an ``ObjectSnapshot``; `$person` is its ``ObjectPublisher``. The view observes the object from
    /// the first time it is shown until SwiftUI discards the state of the view.
    ///
    /// After the object was deleted, the property is nil. If the object cannot be read, the property is nil, and the
    /// error is logged.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @propertyWrapper
    public struct ObjectState<O: DynamicObject>: DynamicProperty {
        @State private var object = FollowedObject<O>()
        private let publisher: ObjectPublisher<O>?

        /// Observes the object of a publisher; without a publisher, the property is nil.
        public init(_ objectPublisher: ObjectPublisher<O>?) { publisher = objectPublisher }

        /// The values of the object after the last commit; nil after the object was deleted.
        @MainActor
        public var wrappedValue: ObjectSnapshot<O>? {
            object.begin(publisher)
            return object.snapshot
        }

        /// The publisher of the object.
        @MainActor
        public var projectedValue: ObjectPublisher<O>? { publisher }

        /// Begins to observe the object; SwiftUI calls this method before it shows the view.
        public func update() {
            // Unsafe: SwiftUI calls this on the main actor, and the closure does not leave it.
            nonisolated(unsafe) let state = self
            MainActor.assumeIsolated { state.object.follow(state.publisher) }
        }
    }
#endif
