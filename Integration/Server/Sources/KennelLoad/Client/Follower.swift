import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client that follows the list of dogs, and passes each event to a board.
struct Follower: Sendable {
    private let channel: any Channel

    init(_ number: Int, port: Int, _ board: FollowerBoard) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(EventHandler(number, board))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func close() async throws { try await channel.close() }
}

/// Requests the list, and divides the response into events.
private final class EventHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let number: Int
    private let board: FollowerBoard
    private var received = ByteBuffer()

    init(_ number: Int, _ board: FollowerBoard) {
        self.number = number
        self.board = board
    }

    func channelActive(context: ChannelHandlerContext) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/dogs", headers: ["Host": "localhost"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .body(var part) = unwrapInboundIn(data) else { return }
        // Lines of an event contain no line feed, and an event ends with two line feeds.
        var searchedBytes = max(0, received.readableBytes - 1)
        received.writeBuffer(&part)
        while let length = Self.lengthOfEvent(received, from: searchedBytes),
            var event = received.readSlice(length: length)
        {
            event.moveReaderIndex(forwardBy: "data: ".utf8.count)
            board.receive(event, number)
            searchedBytes = 0
        }
        if received.readableBytes == 0 { received = ByteBuffer() }
    }

    func channelInactive(context: ChannelHandlerContext) { board.lose(number) }

    private static func lengthOfEvent(_ buffer: ByteBuffer, from start: Int) -> Int? {
        buffer.withUnsafeReadableBytes { bytes in
            let searched = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return searched.firstIndex(of: "\n\n").map { start + $0 + 2 }
        }
    }
}
