public import CofferSchema
public import Observation

/// An observable object for a view, which notifies the framework of the view when the object changes.
///
/// ```swift
/// struct Badge: View {
///     @State var person: LiveObject<Person>
///
///     var body: some View {
///         Text(person.$name ?? "(deleted)")
///     }
/// }
/// ```
///
/// The value observes the object for as long as it exists, and keeps the publisher alive. A commit that changes any
/// field notifies every view that reads a field. Create and read the value on the view queue, which is the main queue
/// by default.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@Observable
@dynamicMemberLookup
public final class LiveObject<O: DynamicObject> {
    /// The values of the object after the last commit; nil after the object was deleted.
    public private(set) var snapshot: ObjectSnapshot<O>?
    /// The publisher of the object.
    @ObservationIgnored public let publisher: ObjectPublisher<O>

    /// Observes the object of a publisher.
    public init(_ publisher: ObjectPublisher<O>) {
        self.publisher = publisher
        snapshot = publisher.snapshot
        publisher.addObserver(self) { [weak self] publisher in self?.snapshot = publisher.snapshot }
    }
}

/// The values of fields; nil once the object is deleted.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension LiveObject where O: CoreStoreObject {
    /// The value of a stored field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> V? {
        snapshot?[dynamicMember: member]
    }

    /// The value of a virtual field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> V? {
        snapshot?[dynamicMember: member]
    }

    /// The value of a coded field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> V? {
        snapshot?[dynamicMember: member]
    }
}
