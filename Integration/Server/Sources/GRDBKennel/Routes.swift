public import GRDB
public import Hummingbird
import KennelMessages
import ServiceLifecycle

/// The routes of `LiveKennel` on GRDB.
public func makeRouter(_ pool: DatabasePool) -> Router<BasicRequestContext> {
    let router = Router()

    router.get("dogs") { request, _ in
        let live = ValueObservation.trackingConstantRegion { try GRDBDog.list($0) }
            .values(in: pool, bufferingPolicy: .bufferingNewest(1))
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await dogs in live.cancelOnGracefulShutdown() { try await writer.write(.init(event: dogs)) }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    router.post("dogs/:nickname") { _, context in
        let nickname = try context.decoded("nickname")
        try await pool.write { try GRDBDog.insert(DogLine(nickname: nickname, age: 0), $0) }
        return HTTPResponse.Status.created
    }

    router.get("dogs.json") { request, _ in
        let page = try PageQuery(request)
        return try await pool.read { try GRDBDog.page(page, $0) }
    }

    router.get("dogs/:nickname") { _, context in
        let nickname = try context.decoded("nickname")
        guard let line = try await pool.read({ try GRDBDog.first(nickname, $0) }) else { throw HTTPError(.notFound) }
        return line
    }
    return router
}
