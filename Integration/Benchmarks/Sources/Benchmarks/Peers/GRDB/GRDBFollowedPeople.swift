import Foundation
import GRDB

/// A list that GRDB's `ValueObservation` delivers.
struct GRDBFollowedPeople<Person: FetchableRecord & PersonReadable & Sendable>: FollowedPeople {
    private let queue: DatabaseQueue
    private let key: (Person) -> Int64?
    private let delivery = Delivery<Person>()
    private let observation: AnyDatabaseCancellable
    private var people: [Person]

    init(
        _ queue: DatabaseQueue, key: @escaping (Person) -> Int64?,
        fetch: @escaping @Sendable (Database) throws -> [Person]
    ) throws {
        self.queue = queue
        self.key = key
        observation = ValueObservation.tracking(fetch).start(
            in: queue, scheduling: .async(onQueue: DispatchQueue(label: "benchmark.observation")),
            onError: { [delivery] in delivery.send(.failure($0)) },
            onChange: { [delivery] in delivery.send(.success($0)) })
        people = try delivery.next()
    }

    var count: Int { people.count }

    mutating func addToScore(_ points: Double, at index: Int) throws -> Double {
        let (score, key) = (people[index].score + points, key(people[index]))
        try queue.write { database in
            let statement = try database.cachedStatement(sql: SQLSchema.updateScore)
            try statement.execute(arguments: [score, key])
        }
        people = try delivery.next()
        return people[index].score
    }
}

/// Passes lists from the queue of an observation to the thread that waits for them.
private final class Delivery<Person>: @unchecked Sendable {
    // Sendable: `lists` is used only while the lock is held.
    private let lock = NSLock()
    private let arrived = DispatchSemaphore(value: 0)
    private var lists: [Result<[Person], any Error>] = []

    func send(_ list: Result<[Person], any Error>) {
        lock.withLock { lists.append(list) }
        arrived.signal()
    }

    func next() throws -> [Person] {
        arrived.wait()
        return try lock.withLock { lists.removeFirst() }.get()
    }
}
