/// Every peer that takes part, in the order of the table's columns.
///
/// A new peer is added here and nowhere else.
enum Peers {
    /// Those that this program calls.
    static let all: [any Peer.Type] =
        [
            RawPeer.self, GRDBPeer.self, GRDBFastPeer.self, CofferPeer<OnSQLite>.self, CofferPeer<InMemory>.self,
        ] + (PostgreSQLServer.url == nil ? [] : served)

    private static let served: [any Peer.Type] = [LibPQPeer.self, CofferPeer<OnPostgreSQL>.self]

    /// Those that are programs of their own.
    static let foreign: [ForeignPeer] = PostgreSQLServer.url == nil ? [] : SQLAlchemyPeer.all

    /// The names of those that need a server.
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
