import Coffer
import Foundation
import GRDB
import GRDBKennel
import KennelMessages
import LiveKennel
import Testing

/// Sends the same requests to the server of `LiveKennel` on SQLite and to the same server on GRDB.
@Suite(.timeLimit(.minutes(1)))
struct GRDBKennelTests {
    /// Nicknames whose order depends on the alphabet, the case, and the form of a letter.
    private let nicknames = [
        "Rex", "ada", "Żółw", "Rex", "\u{E9}", "e\u{301}", "Zoe", "犬", "🐕", "two words", #"a "quoted" \ name"#, "10",
        "9",
    ]

    /// Returns the dogs in the order of the bytes of their nicknames.
    private func sorted(_ nicknames: some Sequence<String>) -> [DogLine] {
        nicknames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { DogLine(nickname: $0, age: 0) }
    }

    private func json(_ lines: [DogLine]) throws -> String { try Answer.sorted(JSONEncoder().encode(lines)) }

    private func escaped(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    private func withServers(_ body: (_ coffer: Int, _ grdb: Int) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kennel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try makeGRDBKennel(path: folder.appending(path: "kennel.sqlite").path)
        try await Place.sqlite.withKennel { stack in
            try await withServer(LiveKennel.makeRouter(stack)) { coffer, _ in
                try await withServer(GRDBKennel.makeRouter(pool)) { grdb, _ in try await body(coffer, grdb) }
            }
        }
    }

    @Test
    func `both servers return the same responses`() async throws {
        try await withServers { coffer, grdb in
            func answer(_ method: String, _ path: String) async throws -> Answer {
                let answer = try await Answer(method, path, port: coffer)
                #expect(try await Answer(method, path, port: grdb) == answer, "\(method) \(path)")
                return answer
            }
            #expect(try await answer("GET", "/dogs.json").json == "[]")
            #expect(try await answer("GET", "/dogs/Rex").status == 404)
            for nickname in nicknames {
                #expect(try await answer("POST", "/dogs/\(escaped(nickname))").status == 201)
            }
            for nickname in nicknames {
                let dog = try await answer("GET", "/dogs/\(escaped(nickname))")
                #expect(try dog.json == Answer.sorted(JSONEncoder().encode(DogLine(nickname: nickname, age: 0))))
            }
            #expect(try await answer("GET", "/dogs/rex").status == 404)
            #expect(try await answer("GET", "/dogs/%FF").status == 400)

            let all = sorted(nicknames)
            #expect(try await answer("GET", "/dogs.json").json == json(all))
            #expect(try await answer("GET", "/dogs.json?limit=1000").json == json(all))
            #expect(try await answer("GET", "/dogs.json?limit=3").json == json(Array(all.prefix(3))))
            for nickname in nicknames + ["", "M", "\u{10FFFF}"] {
                let page = try await answer("GET", "/dogs.json?limit=4&after=\(escaped(nickname))")
                let rest = all.filter { nickname.utf8.lexicographicallyPrecedes($0.nickname.utf8) }
                #expect(try page.json == json(Array(rest.prefix(4))))
            }
            for limit in ["0", "-1", "1001", "many", ""] {
                #expect(try await answer("GET", "/dogs.json?limit=\(limit)").status == 400)
            }
        }
    }

    @Test
    func `both servers send the same list after each new dog`() async throws {
        try await withServers { coffer, grdb in
            for port in [coffer, grdb] {
                try await EventClient(port: port).follow("/dogs") { events in
                    #expect(try await events.next() == "[]")
                    for count in 1...nicknames.count {
                        let path = try "/dogs/\(escaped(nicknames[count - 1]))"
                        #expect(try await Answer("POST", path, port: port).status == 201)
                        let expected = try json(sorted(nicknames.prefix(count)))
                        // A list may arrive twice. A list that never arrives ends the test at its time limit.
                        var list: String?
                        repeat {
                            list = try await events.next().map { try Answer.sorted(Data($0.utf8)) }
                        } while list != nil && list != expected
                        #expect(list == expected)
                    }
                }
            }
        }
    }
}
