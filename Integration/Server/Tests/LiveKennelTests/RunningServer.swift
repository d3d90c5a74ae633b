import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Testing

/// Runs a server with the routes on a free port until the closure returns.
func withServer(
    _ router: Router<BasicRequestContext>, _ body: (_ port: Int, _ services: ServiceGroup) async throws -> Void
) async throws {
    var logger = Logger(label: "kennel")
    logger.logLevel = .critical
    let (ports, started) = AsyncStream<Int>.makeStream()
    let server = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in started.yield(channel.localAddress?.port ?? 0) }, logger: logger)
    var configuration = ServiceGroupConfiguration(services: [server], logger: logger)
    // After this time, a response that does not end is cut off, and the test fails.
    configuration.maximumGracefulShutdownDuration = .seconds(20)
    let services = ServiceGroup(configuration: configuration)
    async let running: Void = services.run()
    let port = try #require(await ports.first { _ in true })
    try await body(port, services)
    await services.triggerGracefulShutdown()
    try await running
}
