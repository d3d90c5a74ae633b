/// Dumps of stores that an earlier release created, before dates were stored as doubles.
///
/// The stores contain events with dates in an entity and in an entity that inherits from it. They also contain an
/// index and a unique constraint on dates, and a date as a default.
public enum OldFormat {
    /// The hash of each entity as the earlier release computed it.
    public static let hashes = [
        "Event": "wuhhyhPmRSYUr6oG9pByVoRv0J1GWePTYVph+hG3iR4=",
        "Party": "e4k8t0yj/tDejwkQlD5LG8xRRPj44vFEbg4oaGBALtY=",
        "Place": "vjYX7CAsz2xzqUACrn4e9XPfiu0BZi+Zaj8CLR0Fugo=",
    ]

    /// The id of the store.
    public static let store = "BF2DF4D0-6B8B-476E-BFA1-C94B328D9682"

    /// The rows of events: key, entity, name, price, start, end, place, doors; dates in microseconds.
    public static let events = [
        "1, 1, 'Event', 'first', '9.99', 0, 1, 1, NULL",
        "2, 1, 'Event', 'second', NULL, 785000000123457, NULL, NULL, NULL",
        "3, 1, 'Party', 'third', NULL, -63114076800000000, 9223372036854775807, NULL, -1",
        "4, 1, 'Event', NULL, NULL, -9223372036854775808, NULL, NULL, NULL",
    ]

    /// The starts of the events by their keys, in seconds, as the earlier release returned them.
    public static let starts: [Double] = [0, 785_000_000.123_457, -63_114_076_800, -9_223_372_036_854.775_808]

    /// The model as the earlier release encoded it.
    public static let model = """
        {"entities":[{"attributes":[\
        {"defaultValue":{"null":true},"isOptional":true,"name":"name","type":"string"},\
        {"defaultValue":{"null":true},"isOptional":true,"name":"price","type":"decimal"},\
        {"defaultValue":{"date":1500000},"isOptional":false,"name":"start","type":"date"},\
        {"defaultValue":{"null":true},"isOptional":true,"name":"end","type":"date"}],\
        "indexes":[["end"],["name"]],"isAbstract":false,"name":"Event","relationships":[\
        {"deleteRule":"nullify","destination":"Place","inverse":"events","isOrdered":false,"isToMany":false,\
        "maxCount":0,"minCount":0,"name":"place"},\
        {"deleteRule":"nullify","destination":"Place","inverse":"visits","isOrdered":false,"isToMany":true,\
        "maxCount":0,"minCount":0,"name":"guests"}],"uniqueConstraints":[["start"]]},\
        {"attributes":[{"defaultValue":{"null":true},"isOptional":true,"name":"doors","type":"date"}],"indexes":[],\
        "isAbstract":false,"name":"Party","parent":"Event","relationships":[],"uniqueConstraints":[]},\
        {"attributes":[{"defaultValue":{"null":true},"isOptional":false,"name":"name","type":"string"}],"indexes":[],\
        "isAbstract":false,"name":"Place","relationships":[\
        {"deleteRule":"nullify","destination":"Event","inverse":"place","isOrdered":false,"isToMany":true,\
        "maxCount":0,"minCount":0,"name":"events"},\
        {"deleteRule":"nullify","destination":"Event","inverse":"guests","isOrdered":false,"isToMany":true,\
        "maxCount":0,"minCount":0,"name":"visits"}],"uniqueConstraints":[]}],"version":"V1"}
        """

    private static var rows: [String] {
        events.map { "INSERT INTO \"Event\" VALUES (\($0))" } + [
            "INSERT INTO \"Place\" VALUES (1, 1, 'Hall')",
            "INSERT INTO \"coffer_link_Event_guests\" VALUES (2, 1)",
            "INSERT INTO coffer_keys VALUES ('Event', 5)", "INSERT INTO coffer_keys VALUES ('Place', 2)",
            "INSERT INTO coffer_metadata VALUES ('format', '1')",
            "INSERT INTO coffer_metadata VALUES ('store', '\(store)')",
            "INSERT INTO coffer_metadata VALUES ('model', '\(model)')",
        ]
    }

    /// The statements that create such a file.
    public static var sqlite: [String] {
        [
            "PRAGMA journal_mode = WAL", "PRAGMA application_id = 1131374194",
            """
            CREATE TABLE "Event" (coffer_key INTEGER PRIMARY KEY, coffer_version INTEGER NOT NULL, \
            coffer_entity TEXT NOT NULL, "name" TEXT, "price" TEXT COLLATE coffer_decimal, "start" INTEGER, \
            "end" INTEGER, "place" INTEGER, "Party.doors" INTEGER)
            """,
            "CREATE TABLE \"Place\" (coffer_key INTEGER PRIMARY KEY, coffer_version INTEGER NOT NULL, \"name\" TEXT)",
            "CREATE TABLE coffer_keys (root TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
            """
            CREATE TABLE "coffer_link_Event_guests" ("first" INTEGER NOT NULL, "second" INTEGER NOT NULL, \
            PRIMARY KEY ("first", "second")) WITHOUT ROWID
            """,
            "CREATE TABLE coffer_metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        ] + rows + [
            "CREATE INDEX \"coffer_link_Event_guests second\" ON \"coffer_link_Event_guests\" (\"second\", \"first\")",
            "CREATE UNIQUE INDEX \"coffer_unique_Event_start\" ON \"Event\" (\"start\")",
            "CREATE INDEX \"coffer_index_Event_end\" ON \"Event\" (\"end\")",
            "CREATE INDEX \"coffer_index_Event_name\" ON \"Event\" (\"name\")",
            "CREATE INDEX \"coffer_index_Event_place\" ON \"Event\" (\"place\")",
        ]
    }

    /// The statements that create such a store in the current schema of the database.
    public static var postgresql: [String] {
        [
            """
            CREATE TABLE "Event" (coffer_key bigint PRIMARY KEY, coffer_version bigint NOT NULL, \
            coffer_entity text COLLATE "C" NOT NULL, "name" text COLLATE "C", "price" numeric, "start" bigint, \
            "end" bigint, "place" bigint, "Party.doors" bigint)
            """,
            """
            CREATE TABLE "Place" (coffer_key bigint PRIMARY KEY, coffer_version bigint NOT NULL, \
            "name" text COLLATE "C")
            """,
            "CREATE TABLE coffer_keys (root text COLLATE \"C\" PRIMARY KEY, next bigint NOT NULL)",
            """
            CREATE TABLE "coffer_link_Event_guests" ("first" bigint NOT NULL, "second" bigint NOT NULL, \
            PRIMARY KEY ("first", "second"))
            """,
            "CREATE TABLE coffer_metadata (name text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)",
        ] + rows + [
            "CREATE INDEX ON \"coffer_link_Event_guests\" (\"second\", \"first\")",
            "CREATE UNIQUE INDEX \"coffer_unique_Event_start\" ON \"Event\" (\"start\" NULLS FIRST)",
            "CREATE INDEX \"coffer_index_Event_end\" ON \"Event\" (\"end\" NULLS FIRST)",
            "CREATE INDEX \"coffer_index_Event_name\" ON \"Event\" (\"name\" NULLS FIRST)",
            "CREATE INDEX \"coffer_index_Event_place\" ON \"Event\" (\"place\" NULLS FIRST)",
        ]
    }
}
