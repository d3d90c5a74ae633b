public import CofferSchema
public import Observation

/// An object that a view reads, and that tells the view's framework when it changes.
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
/// It follows the object as long as it exists, and keeps the publisher alive. A commit that changes any field tells every view
/// that reads a field. Create and read it on the view queue, which is the main queue unless the data stack was given another
/// one.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@Observable
@dynamicMemberLookup
public final class LiveObject<O: DynamicObject> {
    /// The object's values as the last commit left them; nil once it is deleted.
    public private(set) var snapshot: ObjectSnapshot<O>?
    /// The publisher of the object.
    @ObservationIgnored public let publisher: ObjectPublisher<O>

    /// Follows an object.
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
