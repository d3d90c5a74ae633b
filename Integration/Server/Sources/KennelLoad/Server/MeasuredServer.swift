import Foundation
import Hummingbird
import Logging

/// The process of a server: the routes of one side, and one more for the usage of the process.
///
/// The process prints the port when it accepts connections.
struct MeasuredServer {
    static let command = "serve"
    static let usagePath = "/usage"

    private let side: Side
    private let path: String
    private let dogs: Int

    /// Reads the side, the path of the file and the number of dogs.
    init(_ arguments: [String]) throws {
        guard arguments.count == 3, let side = Side(rawValue: arguments[0]), let dogs = Int(arguments[2]) else {
            throw LoadError("The server needs a side, a path and a number of dogs.")
        }
        self.side = side
        path = arguments[1]
        self.dogs = dogs
    }

    func run() async throws {
        let router = try side.makeServer(path: path, dogs: dogs)
        router.get(RouterPath(Self.usagePath)) { _, _ in Usage.current }
        var logger = Logger(label: "kennel")
        logger.logLevel = .error
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
            },
            logger: logger)
        try await server.run()
    }
}
