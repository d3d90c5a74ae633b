import Coffer
import CofferConfiguration
import GRDB
import GRDBKennel
import Hummingbird
import KennelMessages
import LiveKennel

/// A library that a server uses.
enum Side: String, CaseIterable, Codable {
    case coffer, grdb

    /// Creates a store with a number of dogs, and the routes on it.
    func makeServer(path: String, dogs: Int) throws -> Router<BasicRequestContext> {
        let nicknames = (0..<dogs).map(Nicknames.nickname)
        switch self {
        case .coffer:
            let stack = try makeKennel(StorageConfiguration("sqlite://\(path)"))
            try stack.perform(synchronous: { transaction in
                for nickname in nicknames { transaction.create(Into<Dog>()).nickname = nickname }
            })
            return makeRouter(stack)
        case .grdb:
            let pool = try makeGRDBKennel(path: path)
            try pool.add(nicknames.map { DogLine(nickname: $0, age: 0) })
            return makeRouter(pool)
        }
    }

    /// Reads the nicknames in a file that no server has open, by a plain statement.
    ///
    /// Both sides name the table `dog`, because SQLite does not distinguish the case of names.
    static func storedNicknames(path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT nickname FROM dog") }
    }
}
