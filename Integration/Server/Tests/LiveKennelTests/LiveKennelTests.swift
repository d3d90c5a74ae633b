import Coffer
import CofferConfiguration
import Foundation
import LiveKennel
import Testing

/// The kind of store of a server.
enum Place: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, postgresql

    /// All kinds of stores; PostgreSQL only if a server is known.
    static var all: [Place] { server == nil ? [.memory, .sqlite] : allCases }
    private static var server: String? { ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"] }

    var testDescription: String { rawValue }

    /// Runs the closure with the stack of a server, on a separate store.
    func withKennel(_ body: (DataStack) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kennel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url =
            switch self {
            case .memory: "memory:"
            case .sqlite: "sqlite://\(folder.appending(path: "kennel.sqlite").path)"
            case .postgresql: "\(Self.server ?? "")?schema=kennel_\(UUID().uuidString.lowercased())"
            }
        let settings = try StorageConfiguration(url)
        let stack = try makeKennel(settings)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(stack))
        } catch {
            outcome = .failure(error)
        }
        // The store is also erased after a failure; otherwise the schema of PostgreSQL would remain.
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try settings.makeStorage().erase()
        try outcome.get()
    }
}

// The limit ends a test whose server or subscription does not end.
@Suite(.timeLimit(.minutes(1)))
struct LiveKennelTests {
    @Test(.pins("RX-06"), arguments: Place.all)
    func `a client receives the list and each change, and its subscription ends on disconnection`(
        _ place: Place
    ) async throws {
        try await place.withKennel { stack in
            try await withServer(makeRouter(stack)) { port, _ in
                #expect(stack.async.subscriptionCount == 0)
                try await EventClient(port: port).follow("/dogs") { events in
                    #expect(try await events.next() == "[]")
                    #expect(stack.async.subscriptionCount == 1)
                    let rex = try await stack.async.perform { transaction in
                        let rex = transaction.create(Into<Dog>())
                        rex.nickname = "Rex"
                        return rex.objectID()
                    }
                    #expect(try await events.next()?.contains(#""nickname":"Rex""#) == true)
                    try await stack.async.perform { $0.delete(objectIDs: [rex]) }
                    #expect(try await events.next() == "[]")
                }
                // The server notices without a commit that the client has closed its connection.
                while stack.async.subscriptionCount > 0 { await Task.yield() }
            }
        }
    }

    @Test(.pins("RX-06"), arguments: Place.all)
    func `a graceful shutdown ends the responses to clients that follow a list`(
        _ place: Place
    ) async throws {
        try await place.withKennel { stack in
            try await withServer(makeRouter(stack)) { port, services in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (followers, begun) = AsyncStream<Void>.makeStream()
                    for _ in 0..<3 {
                        group.addTask {
                            try await EventClient(port: port).follow("/dogs") { events in
                                let first = try await events.next()
                                #expect(first == "[]")
                                begun.yield()
                                let last = try await events.next()
                                #expect(last == nil && events.isComplete)
                            }
                        }
                    }
                    var count = 0
                    for await _ in followers {
                        count += 1
                        if count == 3 { break }
                    }
                    #expect(stack.async.subscriptionCount == 3)
                    await services.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
            #expect(stack.async.subscriptionCount == 0)
        }
    }
}
