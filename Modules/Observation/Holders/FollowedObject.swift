package import CofferSchema
import CofferTransactions
import Observation

/// Follows the object that a SwiftUI view shows, on the main actor.
///
/// The view queue of the data stack may be another queue. The observation begins at the first ``follow(_:)`` and lasts
/// for as long as this object exists.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@Observable
package final class FollowedObject<O: DynamicObject> {
    @ObservationIgnored private var isFollowing = false
    /// The publisher of the object.
    @ObservationIgnored package private(set) var publisher: ObjectPublisher<O>?
    private var current: ObjectSnapshot<O>?

    package nonisolated init() {}

    /// The values of the object after the last commit.
    ///
    /// The snapshot is nil without an object, and after the object was deleted. If the data stack has another view
    /// queue, the snapshot is nil until that queue has answered.
    package var snapshot: ObjectSnapshot<O>? { current }

    /// Follows an object from now on; nothing happens if it is the same object as before.
    package func follow(_ publisher: ObjectPublisher<O>?) {
        guard !isFollowing || self.publisher != publisher else { return }
        self.publisher?.removeObserver(self)
        (isFollowing, self.publisher) = (true, publisher)
        guard let publisher else {
            if current != nil { current = nil }
            return
        }
        if current != nil, publisher.cs_dataStack()?.isOnViewQueue == false { current = nil }
        onViewQueue(of: publisher.cs_dataStack()) {
            publisher.addObserver(self, notifyInitial: true) { @Sendable [weak self] publisher in
                let (snapshot, sender) = (publisher.snapshot, ObjectIdentifier(publisher))
                MainQueue.run { self?.show(snapshot, of: sender) }
            }
        }
    }

    /// Follows the object unless this object already follows another.
    package func begin(_ publisher: ObjectPublisher<O>?) { if !isFollowing { follow(publisher) } }

    /// - Parameter sender: the publisher of the snapshot, which may arrive after another object is followed.
    private func show(_ snapshot: ObjectSnapshot<O>?, of sender: ObjectIdentifier) {
        guard publisher.map(ObjectIdentifier.init) == sender else { return }
        current = snapshot
    }
}
