public import Coffer
import Foundation
public import Hummingbird
import ServiceLifecycle

/// The JSON of a dog.
struct DogLine: Codable, Sendable {
    let nickname: String
    let age: Int
}

/// The routes of the server: a list to follow, and a way to change it.
public func makeRouter(_ stack: DataStack) -> Router<BasicRequestContext> {
    let router = Router()

    // snippet: live-list
    router.get("dogs") { request, _ in
        let list = From<Dog>().orderBy(.ascending(\.$nickname))
        let live = stack.async.values(of: list) { dog in DogLine(nickname: dog.nickname, age: dog.age) }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: .init { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for try await dogs in live.cancelOnGracefulShutdown() {
                        let json = try String(decoding: JSONEncoder().encode(dogs), as: UTF8.self)
                        try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
                    }
                }
                try await writer.finish(nil)
            })
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
