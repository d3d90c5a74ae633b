public import Coffer
import Foundation
public import Hummingbird
import ServiceLifecycle

/// The JSON of a dog.
struct DogLine: Codable, Sendable {
    let nickname: String
    let age: Int
}

extension DogLine {
    init(_ dog: Dog) { self.init(nickname: dog.nickname, age: dog.age) }
}

// snippet: live-event
extension ByteBuffer {
    /// A value as JSON, in the form of a server-sent event.
    init(event: some Encodable) throws {
        self.init(string: "data: \(String(decoding: try JSONEncoder().encode(event), as: UTF8.self))\n\n")
    }
}
// end

/// The routes of the server: a list to follow, and a way to change it.
public func makeRouter(_ stack: DataStack) -> Router<BasicRequestContext> {
    let router = Router()

    // snippet: live-list
    router.get("dogs") { request, _ in
        let live = stack.async.values(of: From<Dog>().orderBy(.ascending(\.$nickname))) { DogLine($0) }
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await dogs in live.cancelOnGracefulShutdown() { try await writer.write(.init(event: dogs)) }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
    // end

    // snippet: live-change
    router.post("dogs/:nickname") { _, context in
        let nickname = try context.parameters.require("nickname")
        try await stack.async.perform { transaction in
            transaction.create(Into<Dog>()).nickname = nickname
        }
        return HTTPResponse.Status.created
    }
    // end
    return router
}
