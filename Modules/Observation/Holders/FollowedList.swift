package import CofferSchema
import CofferTransactions
import Observation

/// Follows the list that a SwiftUI view shows, on the main actor.
///
/// The view queue of the data stack may be another queue. The observation begins at the first ``follow(_:)`` and lasts
/// for as long as this object exists. A view may be created many times and shown once: creating this object neither
/// fetches nor observes.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@Observable
package final class FollowedList<O: DynamicObject> {
    @ObservationIgnored private var source: ListSource<O>?
    /// The publisher of the list; nil before the first ``follow(_:)``.
    @ObservationIgnored package private(set) var publisher: ListPublisher<O>?
    private var current: ListSnapshot<O>?

    package nonisolated init() {}

    /// The list after the last commit.
    ///
    /// If the data stack has another view queue, the list is empty until that queue has answered.
    package var snapshot: ListSnapshot<O> { current ?? ListSnapshot(emptyIn: publisher?.cs_dataStack()) }

    /// Follows a list from now on; nothing happens if it is the same list as before.
    ///
    /// - Returns: the publisher of the list.
    @discardableResult
    package func follow(_ source: ListSource<O>) -> ListPublisher<O> {
        if let publisher, self.source?.isSameList(as: source) == true { return publisher }
        self.publisher?.removeObserver(self)
        let publisher = source.makePublisher()
        (self.source, self.publisher) = (source, publisher)
        if current != nil, publisher.cs_dataStack()?.isOnViewQueue == false { current = nil }
        onViewQueue(of: publisher.cs_dataStack()) {
            publisher.addObserver(self, notifyInitial: true) { @Sendable [weak self] publisher in
                let (snapshot, sender) = (publisher.snapshot, ObjectIdentifier(publisher))
                MainQueue.run { self?.show(snapshot, of: sender) }
            }
        }
        return publisher
    }

    /// Follows the list unless this object already follows a list.
    @discardableResult
    package func begin(_ source: ListSource<O>) -> ListPublisher<O> { publisher ?? follow(source) }

    /// - Parameter sender: the publisher of the snapshot, which may arrive after this object follows another list.
    private func show(_ snapshot: ListSnapshot<O>, of sender: ObjectIdentifier) {
        guard publisher.map(ObjectIdentifier.init) == sender, current != snapshot else { return }
        current = snapshot
    }
}

/// Runs a closure on the view queue of a data stack, and waits; without a stack, the closure runs here.
func onViewQueue(of stack: DataStack?, _ body: () -> Void) {
    guard let stack else { return body() }
    if stack.onViewQueue(body) == nil {
        // The view queue did not answer in time, or the caller is a transaction. The closure runs here, and Coffer
        // reports the misuse.
        body()
    }
}
