public import GRDB
public import KennelMessages

/// Opens the database of the server on GRDB, with the settings of Coffer's SQLite store.
///
/// A commit does not wait for the disk, and each connection keeps up to 64 MiB of the file in memory.
public func makeGRDBKennel(path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536")
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write(GRDBDog.createTable)
    return pool
}

extension DatabasePool {
    /// Adds dogs in one transaction.
    public func add(_ dogs: [DogLine]) throws {
        try write { database in
            for dog in dogs { try GRDBDog.insert(dog, database) }
        }
    }
}
