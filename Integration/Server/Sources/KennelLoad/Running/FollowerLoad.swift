import Foundation
import KennelMessages
import NIOFoundationCompat

/// Clients that follow the list while dogs are added.
///
/// The next dogs are added after all clients have received an event with the current dogs.
struct FollowerLoad: Sendable {
    let followers: Int
    let posts: Int
    /// The number of dogs that are added at the same time.
    let atATime: Int

    /// Adds dogs, the first of them before the measurement, and returns their nicknames.
    ///
    /// The time of a request is the time until all clients have received the dog.
    func measure(_ server: ServerProcess, _ nicknames: [String]) async throws -> (Measurement, added: [String]) {
        let board = FollowerBoard(followers: followers)
        var clients: [Follower] = []
        for number in 0..<followers { clients.append(try await Follower(number, port: server.port, board)) }
        try await board.waitForAll()

        let posting = try await RequestLoad.connect(atATime, server)
        let added = (0..<posts + 2 * atATime).map { Nicknames.nickname(nicknames.count + $0) }
        _ = try await add(added.prefix(2 * atATime), posting, board)
        let formerEvents = board.eventCount
        var measurement = try await Measurement.during(server) {
            try await add(added.suffix(posts), posting, board)
        }
        measurement.events = Double(board.eventCount - formerEvents) / Double(followers * posts)
        try check(board, (nicknames + added).sorted())
        board.finish()
        for client in clients { try await client.close() }
        for client in posting { try await client.close() }
        return (measurement, added)
    }

    private func add(
        _ nicknames: ArraySlice<String>, _ posting: [LoadConnection], _ board: FollowerBoard
    ) async throws -> [Duration] {
        var times: [Duration] = []
        let clock = ContinuousClock()
        for start in stride(from: nicknames.startIndex, to: nicknames.endIndex, by: atATime) {
            let group = Array(nicknames[start..<min(start + atATime, nicknames.endIndex)])
            board.await(group)
            let start = clock.now
            _ = try await RequestLoad.send(group.map(LoadRequest.post)[...], posting)
            try await board.waitForAll()
            times += Array(repeating: clock.now - start, count: group.count)
        }
        return times
    }

    /// Checks that the newest event of each client is the whole list in its order.
    private func check(_ board: FollowerBoard, _ nicknames: [String]) throws {
        let lines = nicknames.map { DogLine(nickname: $0, age: 0) }
        let events = board.events
        guard events.count == followers,
            try events.allSatisfy({ try JSONDecoder().decode([DogLine].self, from: $0) == lines })
        else { throw LoadError("A follower has not received the whole list.") }
    }
}
