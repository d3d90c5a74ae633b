import Coffer
import Foundation

/// A list that a `ListPublisher` keeps up to date.
final class CofferFollowedPeople: FollowedPeople {
    private let stack: DataStack
    private let publisher: ListPublisher<CofferModel.Person>
    private var deliveries = 0

    init(_ stack: DataStack) {
        self.stack = stack
        publisher = stack.publishList(From<CofferModel.Person>().orderBy(.ascending(\.$name)))
        publisher.addObserver(self) { [unowned self] _ in deliveries += 1 }
    }

    var count: Int { publisher.snapshot.count }

    func addToScore(_ points: Double, at index: Int) throws -> Double {
        let (identifier, known) = (publisher.snapshot[index].objectID(), deliveries)
        try stack.perform(synchronous: { transaction in
            let person: CofferModel.Person? = transaction.fetchExisting(identifier)
            person?.score += points
        })
        while deliveries == known { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
        guard let person = publisher.snapshot[index].object else {
            throw BenchmarkError("There is no person \(index).")
        }
        return person.score
    }
}
