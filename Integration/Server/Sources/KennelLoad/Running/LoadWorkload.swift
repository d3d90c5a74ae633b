/// The load on a server.
struct LoadWorkload: Sendable {
    enum Load: Sendable {
        /// Connections that send requests, each one after the other.
        case requests(RequestLoad)
        /// Clients that follow the list while dogs are added.
        case followers(FollowerLoad)
    }

    let id: String
    let title: String
    /// The number of dogs at the beginning.
    let dogs: Int
    let load: Load

    static let all =
        [
            requests("S1", "add a dog", 20_000) { number, nicknames in
                .post(Nicknames.nickname(nicknames.count + number))
            },
            requests("S2", "one dog", 40_000) { number, nicknames in
                .dog(nicknames[place(number, nicknames)])
            },
            requests("S3", "a page of 50 dogs", 10_000) { number, nicknames in
                .page(after: place(number, nicknames), limit: 50, in: nicknames)
            },
            requests("S4", "one dog; each tenth adds one", 40_000) { number, nicknames in
                number.isMultiple(of: 10)
                    ? .post(Nicknames.nickname(nicknames.count + number)) : .dog(nicknames[place(number, nicknames)])
            },
        ]
        + [1_000, 10_000].flatMap { dogs in
            [1, 10, 100].map { followers in
                let posts = max(10, 2_000_000 / (dogs * (followers + 9)))
                return LoadWorkload(
                    id: "F\(followers)\(dogs == 10_000 ? "w" : "")",
                    title: "\(followers) follow \(dogs) dogs", dogs: dogs,
                    load: .followers(FollowerLoad(followers: followers, posts: posts, atATime: 1)))
            }
        }
        + [
            LoadWorkload(
                id: "F10b", title: "10 follow 1000 dogs, 16 added at once", dogs: 1_000,
                load: .followers(FollowerLoad(followers: 10, posts: 480, atATime: 16)))
        ]

    private static func requests(
        _ id: String, _ title: String, _ count: Int, _ make: @escaping @Sendable (Int, [String]) -> LoadRequest
    ) -> LoadWorkload {
        LoadWorkload(
            id: id, title: title, dogs: 10_000, load: .requests(RequestLoad(count: count, connections: 16, make: make)))
    }

    /// Returns a position in the list that looks random, and is the same in each run.
    private static func place(_ number: Int, _ nicknames: [String]) -> Int { number &* 7_919 % nicknames.count }

    /// Puts the load on a server of a side, and checks that the server has lost no dog.
    func measure(_ side: Side) async throws -> Measurement {
        let server = try ServerProcess(side, dogs: dogs)
        let nicknames = (0..<dogs).map(Nicknames.nickname).sorted()
        let (measurement, added) =
            switch load {
            case .requests(let load): try await load.measure(server, nicknames)
            case .followers(let load): try await load.measure(server, nicknames)
            }
        guard try server.killAndReadNicknames().sorted() == (nicknames + added).sorted() else {
            throw LoadError("\(id), \(side.rawValue): the file does not have exactly the dogs that were added.")
        }
        return measurement
    }
}
