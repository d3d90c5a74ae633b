import Foundation
import GRDB

/// The common part of both GRDB peers: the connection, and the work that is never measured.
protocol GRDBBased: Peer {
    var queue: DatabaseQueue { get }
}

extension GRDBBased {
    static var keepsFiles: Bool { true }

    static func open(in directory: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.execute(sql: SQLSchema.settings) }
        let path = directory.appendingPathComponent("grdb.sqlite").path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: SQLSchema.tables) }
        return queue
    }

    func insert(_ families: [FamilySample]) throws {
        try queue.write { database in
            var parents: [Int64] = []
            for family in families {
                try database.execute(sql: SQLSchema.insertParent, arguments: [family.name])
                parents.append(database.lastInsertedRowID)
            }
            for (parent, child) in families.interleavedChildren {
                try database.execute(sql: SQLSchema.insertChild, arguments: [parents[parent], child.name, child.value])
            }
        }
    }

    func identifiers() throws -> [Int64] {
        try queue.read { try Int64.fetchAll($0, sql: SQLSchema.selectIdentifiers) }
    }

    func tally() throws -> Tally {
        try queue.read { database in
            guard let row = try Row.fetchOne(database, sql: SQLSchema.selectTally) else {
                throw BenchmarkError("grdb: The query returned no row.")
            }
            return Tally(count: row[0], score: row[1])
        }
    }
}
