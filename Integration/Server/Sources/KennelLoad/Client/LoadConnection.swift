import NIOCore
import NIOHTTP1
import NIOPosix

/// A connection that sends one request after the other, and checks the answers.
struct LoadConnection: Sendable {
    private let channel: any Channel

    init(port: Int) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(CallHandler())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Sends a request, waits for the answer, and returns its body.
    @discardableResult
    func send(_ request: LoadRequest) async throws -> ByteBuffer {
        let answer = channel.eventLoop.makePromise(of: ByteBuffer.self)
        channel.writeAndFlush(Call(request: request, answer: answer)).cascadeFailure(to: answer)
        return try await answer.futureResult.get()
    }

    func close() async throws { try await channel.close() }
}

private struct Call: Sendable {
    let request: LoadRequest
    let answer: EventLoopPromise<ByteBuffer>
}

/// Writes the parts of a request, and collects the parts of its answer.
private final class CallHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Call
    typealias OutboundOut = HTTPClientRequestPart

    private var call: Call?
    private var status = HTTPResponseStatus.ok
    private var body = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let call = unwrapOutboundIn(data)
        self.call = call
        body.clear()
        var head = HTTPRequestHead(version: .http1_1, method: call.request.method, uri: call.request.path)
        head.headers.add(name: "Host", value: "localhost")
        if call.request.method == .POST { head.headers.add(name: "Content-Length", value: "0") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = head.status
        case .body(var part): body.writeBuffer(&part)
        case .end:
            guard let call else { return }
            self.call = nil
            do {
                try call.request.check(status, body)
                call.answer.succeed(body)
            } catch {
                call.answer.fail(error)
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        call?.answer.fail(LoadError("The server closed the connection."))
        call = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        call?.answer.fail(error)
        call = nil
        context.close(promise: nil)
    }
}
