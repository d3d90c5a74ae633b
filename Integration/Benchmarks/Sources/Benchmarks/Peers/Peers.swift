/// All peers, in the order of the columns of the table.
///
/// A new peer is added only here.
enum Peers {
    /// The peers that this program calls.
    static let all: [any Peer.Type] =
        [
            RawPeer.self, GRDBPeer.self, GRDBFastPeer.self, CofferPeer<OnSQLite>.self, CofferPeer<InMemory>.self,
        ] + (PostgreSQLServer.url == nil ? [] : served)

    private static let served: [any Peer.Type] = [LibPQPeer.self, CofferPeer<OnPostgreSQL>.self]

    /// The peers that are separate programs.
    static let foreign: [ForeignPeer] = PostgreSQLServer.url == nil ? [] : SQLAlchemyPeer.all

    /// The names of the peers that need a server.
    static let onPostgreSQL = served.map { $0.name } + foreign.map(\.name)

    static var names: [String] { all.map { $0.name } + foreign.map(\.name) }

    static func foreign(named name: String) -> ForeignPeer? { foreign.first { $0.name == name } }

    static func named(_ name: String) throws -> any Peer.Type {
        guard let peer = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("There is no peer '\(name)'. Choose from: \(names.joined(separator: ", ")).")
        }
        return peer
    }
}
