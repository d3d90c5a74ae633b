public import Coffer
public import Hummingbird
import KennelMessages
import ServiceLifecycle

extension DogLine {
    init(_ dog: Dog) { self.init(nickname: dog.nickname, age: dog.age) }
}

/// The routes of the server: a list to follow, its pages, one dog, and a way to add a dog.
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
        let nickname = try context.decoded("nickname")
        try await stack.async.perform { transaction in
            transaction.create(Into<Dog>()).nickname = nickname
        }
        return HTTPResponse.Status.created
    }
    // end

    router.get("dogs.json") { request, _ in
        let page = try PageQuery(request)
        return try await stack.async.read { transaction in
            let dogs = From<Dog>().where(page.after.map { \.$nickname > $0 } ?? Where(true))
            return try transaction.fetchAll(dogs.orderBy(.ascending(\.$nickname)).tweak { $0.fetchLimit = page.limit })
                .map { DogLine($0) }
        }
    }

    router.get("dogs/:nickname") { _, context in
        let nickname = try context.decoded("nickname")
        let line = try await stack.async.read { transaction in
            try transaction.fetchOne(From<Dog>().where(\.$nickname == nickname)).map { DogLine($0) }
        }
        guard let line else { throw HTTPError(.notFound) }
        return line
    }
    return router
}
