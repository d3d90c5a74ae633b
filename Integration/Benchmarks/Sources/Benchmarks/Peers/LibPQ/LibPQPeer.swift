import Foundation

/// libpq from Swift: prepared statements, and binary values that are read directly into plain final classes.
///
/// The ratios of the other peers on PostgreSQL refer to this peer.
final class LibPQPeer: Peer {
    typealias Person = RawPeer.Person
    typealias Item = RawPeer.Item

    static let name = "libpq"
    static let keepsFiles = false

    enum Types {
        static let boolean: UInt32 = 16
        static let bigint: UInt32 = 20
        static let text: UInt32 = 25
        static let double: UInt32 = 701
        static let texts: UInt32 = 1009
        static let bigints: UInt32 = 1016
        static let doubles: UInt32 = 1022
    }

    let connection: LibPQConnection
    private let schema: String
    let insertPerson, updateScores, deletePeople: LibPQStatement
    let people, older, younger, person, peopleByEmail, items, ageGroups, parents, children: LibPQStatement

    init(in directory: URL) throws {
        connection = try LibPQConnection(url: PostgreSQLServer.connectionURL())
        schema = PostgreSQLServer.schema(of: Self.name, in: directory)
        try connection.execute(
            "DROP SCHEMA IF EXISTS \(schema) CASCADE; CREATE SCHEMA \(schema); SET search_path TO \(schema)")
        try connection.execute(Self.tables)
        insertPerson = try connection.prepare(
            """
            INSERT INTO person (name, email, age, score, active, createdAt, bio) VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING id
            """, [Types.text, Types.text, Types.bigint, Types.double, Types.boolean, Types.double, Types.text])
        updateScores = try connection.prepare(
            "UPDATE person SET score = u.score FROM unnest($1, $2) AS u(id, score) WHERE person.id = u.id",
            [Types.bigints, Types.doubles])
        peopleByEmail = try connection.prepare("\(SQLSchema.selectPeople) WHERE email = ANY($1)", [Types.texts])
        deletePeople = try connection.prepare("DELETE FROM person WHERE id = ANY($1)", [Types.bigints])
        people = try connection.prepare(SQLSchema.selectPeople)
        older = try connection.prepare(
            "\(SQLSchema.selectPeople) WHERE age > $1 ORDER BY name LIMIT $2", [Types.bigint, Types.bigint])
        younger = try connection.prepare("\(SQLSchema.selectPeople) WHERE age < $1", [Types.bigint])
        person = try connection.prepare("\(SQLSchema.selectPeople) WHERE id = $1", [Types.bigint])
        items = try connection.prepare(SQLSchema.selectItems)
        ageGroups = try connection.prepare(SQLSchema.selectAgeGroups)
        parents = try connection.prepare(SQLSchema.selectParents)
        children = try connection.prepare(SQLSchema.selectChildren)
    }

    func settle() throws { try PostgreSQLServer.analyze(schema) }

    private static let tables = """
        CREATE TABLE person (
            id bigserial PRIMARY KEY, name text COLLATE "C" NOT NULL, email text COLLATE "C" NOT NULL UNIQUE,
            age bigint NOT NULL, score double precision NOT NULL, active boolean NOT NULL,
            createdAt double precision NOT NULL, bio text COLLATE "C"
        );
        CREATE INDEX ON person (name);
        CREATE TABLE item (
            id bigserial PRIMARY KEY, a bigint NOT NULL, b bigint NOT NULL, c bigint NOT NULL, d bigint NOT NULL,
            e bigint NOT NULL, f bigint NOT NULL, g bigint NOT NULL, h bigint NOT NULL, i bigint NOT NULL,
            j bigint NOT NULL
        );
        CREATE TABLE parent (id bigserial PRIMARY KEY, name text COLLATE "C" NOT NULL);
        CREATE TABLE child (
            id bigserial PRIMARY KEY, parentId bigint NOT NULL, name text COLLATE "C" NOT NULL, value bigint NOT NULL
        );
        CREATE INDEX ON child (parentId);
        """

    /// Returns an array of ids, and with `withScores` also an array of scores, as the parameters of a statement.
    static func parameters(_ people: [Person], withScores: Bool) -> LibPQParameters {
        var parameters = LibPQParameters()
        parameters.append(people, type: Types.bigint) { UInt64($0.id) }
        if withScores { parameters.append(people, type: Types.double) { $0.score.bitPattern } }
        return parameters
    }

    func tally() throws -> Tally {
        let found = try connection.prepare("SELECT COUNT(*), COALESCE(SUM(score), 0) FROM person").run()
        return Tally(count: found.integer(0, 0), score: found.double(0, 1))
    }
}
