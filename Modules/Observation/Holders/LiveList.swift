public import CofferSchema
public import Observation

/// An observable list for a view, which notifies the framework of the view when the list changes.
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
/// The value observes the list for as long as it exists, and keeps the publisher alive. Create and read it on the view
/// queue, which is the main queue by default. If the list cannot be fetched, it is empty, and the error is logged.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@Observable
public final class LiveList<O: DynamicObject> {
    /// The snapshot of the list after the last commit.
    public private(set) var snapshot: ListSnapshot<O>
    /// The publisher of the list.
    @ObservationIgnored public let publisher: ListPublisher<O>

    /// Observes the list of a publisher.
    public init(_ publisher: ListPublisher<O>) {
        self.publisher = publisher
        snapshot = publisher.snapshot
        publisher.addObserver(self) { [weak self] publisher in self?.snapshot = publisher.snapshot }
    }
}
