/// The tables, settings and statements that all peers with their own SQL share.
enum SQLSchema {
    static let settings = """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -65536;
        """

    static let tables = """
        CREATE TABLE IF NOT EXISTS person (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, age INTEGER NOT NULL,
            score REAL NOT NULL, active BOOLEAN NOT NULL, createdAt REAL NOT NULL, bio TEXT
        );
        CREATE INDEX IF NOT EXISTS person_name ON person (name);
        CREATE TABLE IF NOT EXISTS item (
            id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, d INTEGER NOT NULL,
            e INTEGER NOT NULL, f INTEGER NOT NULL, g INTEGER NOT NULL, h INTEGER NOT NULL, i INTEGER NOT NULL,
            j INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS child (
            id INTEGER PRIMARY KEY, parentId INTEGER NOT NULL REFERENCES parent (id), name TEXT NOT NULL,
            value INTEGER NOT NULL
        );
        CREATE INDEX IF NOT EXISTS child_parent ON child (parentId);
        """

    static let personColumns = "id, name, email, age, score, active, createdAt, bio"
    static let itemColumns = "id, a, b, c, d, e, f, g, h, i, j"

    static let insertPerson = """
        INSERT INTO person (name, email, age, score, active, createdAt, bio) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    static let insertItem = "INSERT INTO item (a, b, c, d, e, f, g, h, i, j) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    static let upsertPerson = """
        \(insertPerson) ON CONFLICT (email) DO UPDATE SET name = excluded.name, age = excluded.age,
        score = excluded.score, active = excluded.active, createdAt = excluded.createdAt, bio = excluded.bio
        """
    static let insertParent = "INSERT INTO parent (name) VALUES (?)"
    static let insertChild = "INSERT INTO child (parentId, name, value) VALUES (?, ?, ?)"

    static let selectPeople = "SELECT \(personColumns) FROM person"
    static let selectItems = "SELECT \(itemColumns) FROM item"
    static let selectOlder = "\(selectPeople) WHERE age > ? ORDER BY name LIMIT ?"
    static let selectYounger = "\(selectPeople) WHERE age < ?"
    static let selectPeopleByName = "\(selectPeople) ORDER BY name"
    static let selectPerson = "\(selectPeople) WHERE id = ?"
    static let selectIdentifiers = "SELECT id FROM person ORDER BY createdAt"
    static let selectAgeGroups = "SELECT age, COUNT(*), AVG(score), MAX(score) FROM person GROUP BY age"
    static let selectParents = "SELECT id, name FROM parent"
    static let selectChildren = "SELECT id, parentId, name, value FROM child"
    static let selectTally = "SELECT COUNT(*), TOTAL(score) FROM person"

    static let updateScore = "UPDATE person SET score = ? WHERE id = ?"
    static let selectPersonByEmail = "\(selectPeople) WHERE email = ?"
    static let deletePerson = "DELETE FROM person WHERE id = ?"
}
