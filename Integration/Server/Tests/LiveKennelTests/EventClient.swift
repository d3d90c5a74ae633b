import Foundation
import NIOCore
import NIOPosix

/// A client that follows server-sent events on a plain connection.
///
/// A test decides when the connection is closed.
struct EventClient {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    init(port: Int) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Requests a path, passes the events to the closure, and closes the connection when the closure returns.
    func follow(_ path: String, _ body: (inout Events) async throws -> Void) async throws {
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            var events = Events(parts: inbound.makeAsyncIterator())
            try await body(&events)
        }
    }

    /// The events of a response, one after the other.
    struct Events {
        fileprivate var parts: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private var text = ""
        /// Whether the server has sent the last chunk of the response.
        private(set) var isComplete = false

        fileprivate init(parts: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
            self.parts = parts
        }

        /// The data of the next event; nil when the response or the connection has ended.
        mutating func next() async throws -> String? {
            while true {
                if let start = text.range(of: "data: "),
                    let end = text.range(of: "\n\n", range: start.upperBound..<text.endIndex)
                {
                    defer { text = String(text[end.upperBound...]) }
                    return String(text[start.upperBound..<end.lowerBound])
                }
                if text.contains("\r\n0\r\n\r\n") {
                    isComplete = true
                    return nil
                }
                guard let part = try await parts.next() else { return nil }
                text += String(buffer: part)
            }
        }
    }
}
