import Foundation
import KennelMessages
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A request with the answer that it must get.
struct LoadRequest: Sendable {
    enum Answer: Sendable {
        case created
        case dog(DogLine)
        case page([DogLine])
        /// Any JSON.
        case usage
    }

    let method: HTTPMethod
    let path: String
    let answer: Answer

    static func post(_ nickname: String) -> LoadRequest {
        LoadRequest(method: .POST, path: "/dogs/\(nickname)", answer: .created)
    }

    static func dog(_ nickname: String) -> LoadRequest {
        LoadRequest(
            method: .GET, path: "/dogs/\(nickname)", answer: .dog(DogLine(nickname: nickname, age: 0)))
    }

    /// Returns the request for the page after a position in a sorted list.
    static func page(after place: Int, limit: Int, in nicknames: [String]) -> LoadRequest {
        LoadRequest(
            method: .GET, path: "/dogs.json?after=\(nicknames[place])&limit=\(limit)",
            answer: .page(nicknames[(place + 1)...].prefix(limit).map { DogLine(nickname: $0, age: 0) }))
    }

    /// The nickname of the dog that the request adds; nil if the request adds no dog.
    var addedNickname: String? { method == .POST ? path.split(separator: "/").last.map(String.init) : nil }

    static let usage = LoadRequest(method: .GET, path: MeasuredServer.usagePath, answer: .usage)

    /// Compares an answer with the expected one.
    func check(_ status: HTTPResponseStatus, _ body: ByteBuffer) throws {
        let isCorrect =
            switch answer {
            case .created: status == .created && body.readableBytes == 0
            case .dog(let dog): try status == .ok && JSONDecoder().decode(DogLine.self, from: body) == dog
            case .page(let dogs): try status == .ok && JSONDecoder().decode([DogLine].self, from: body) == dogs
            case .usage: status == .ok
            }
        guard isCorrect else {
            throw LoadError("\(method) \(path) was answered with \(status) and '\(String(buffer: body))'.")
        }
    }
}
