public import CofferSchema
public import Observation

/// A list that a view reads, and that tells the view's framework when it changes.
///
/// ```swift
/// struct People: View {
///     @State private var people = LiveList(stack.publishList(From<Person>().orderBy(.ascending(\.$name))))
///
///     var body: some View {
///         Text("\(people.snapshot.count) people")
///     }
/// }
/// ```
///
/// It follows the list as long as it exists, and keeps the publisher alive. Create and read it on the view queue, which is
/// the main queue unless the data stack was given another one. A list that cannot be fetched is empty, and the error is logged.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@Observable
public final class LiveList<O: DynamicObject> {
    /// The list as the last commit left it.
    public private(set) var snapshot: ListSnapshot<O>
    /// The publisher of the list.
    @ObservationIgnored public let publisher: ListPublisher<O>

    /// Follows a list.
    public init(_ publisher: ListPublisher<O>) {
        self.publisher = publisher
        snapshot = publisher.snapshot
        publisher.addObserver(self) { [weak self] publisher in self?.snapshot = publisher.snapshot }
    }
}
