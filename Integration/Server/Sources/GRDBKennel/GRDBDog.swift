import GRDB
import KennelMessages

/// The statements on the table of dogs, and the values of its rows.
///
/// The statements are strings, and the rows are read by index. This is the fastest way to read records with GRDB.
enum GRDBDog {
    static func createTable(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS dog (id INTEGER PRIMARY KEY, nickname TEXT NOT NULL, age INTEGER NOT NULL);
                CREATE INDEX IF NOT EXISTS dog_nickname ON dog (nickname);
                """)
    }

    static func insert(_ dog: DogLine, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO dog (nickname, age) VALUES (?, ?)")
            .execute(arguments: [dog.nickname, dog.age])
    }

    /// Returns all dogs.
    static func list(_ database: Database) throws -> [DogLine] {
        try lines("SELECT nickname, age FROM dog ORDER BY nickname, id", [], database)
    }

    static func page(_ page: PageQuery, _ database: Database) throws -> [DogLine] {
        guard let after = page.after else {
            return try lines(
                "SELECT nickname, age FROM dog ORDER BY nickname, id LIMIT ?", [page.limit], database)
        }
        return try lines(
            "SELECT nickname, age FROM dog WHERE nickname > ? ORDER BY nickname, id LIMIT ?", [after, page.limit],
            database)
    }

    /// Returns the first inserted dog with a nickname.
    static func first(_ nickname: String, _ database: Database) throws -> DogLine? {
        try lines("SELECT nickname, age FROM dog WHERE nickname = ? ORDER BY id LIMIT 1", [nickname], database).first
    }

    private static func lines(
        _ sql: String, _ arguments: StatementArguments, _ database: Database
    ) throws -> [DogLine] {
        let statement = try database.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        return try Array(rows.map { row in DogLine(nickname: row[0], age: row[1]) })
    }
}
