/// Connections that send requests, each one after the other.
struct RequestLoad: Sendable {
    let count: Int
    let connections: Int
    /// The closure that creates the request with a number, for the sorted nicknames of the dogs at the beginning.
    let make: @Sendable (Int, [String]) -> LoadRequest

    /// Sends the requests, the first tenth of them before the measurement, and returns the added nicknames.
    func measure(_ server: ServerProcess, _ nicknames: [String]) async throws -> (Measurement, added: [String]) {
        let requests = (0..<count + count / 10).map { make($0, nicknames) }
        let clients = try await Self.connect(connections, server)
        _ = try await Self.send(requests.prefix(count / 10), clients)
        let measurement = try await Measurement.during(server) {
            try await Self.send(requests.suffix(count), clients)
        }
        for client in clients { try await client.close() }
        return (measurement, requests.compactMap(\.addedNickname))
    }

    static func connect(_ count: Int, _ server: ServerProcess) async throws -> [LoadConnection] {
        var clients: [LoadConnection] = []
        for _ in 0..<count { clients.append(try await LoadConnection(port: server.port)) }
        return clients
    }

    /// Sends the requests, and returns the time of each request.
    ///
    /// With n connections, each connection sends every nth request.
    static func send(_ requests: ArraySlice<LoadRequest>, _ clients: [LoadConnection]) async throws -> [Duration] {
        try await withThrowingTaskGroup(of: [Duration].self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    var times: [Duration] = []
                    let clock = ContinuousClock()
                    let indices = stride(from: requests.startIndex + number, to: requests.endIndex, by: clients.count)
                    for index in indices {
                        let start = clock.now
                        try await client.send(requests[index])
                        times.append(clock.now - start)
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
