import Foundation
import Testing

struct InspectTests {
    private let place: Place

    init() throws {
        place = try Place()
        try Harbour.make(place, place.sqlite("a"))
    }

    @Test func `inspect prints tables`() throws {
        let outcome = try Program.run("inspect", "--checksums", place.sqlite("a"))
        #expect(outcome.errors == "" && outcome.code == 0)
        // The size depends on the version of SQLite.
        #expect(
            outcome.output.replacing(/size {6}[0-9.]+ KB/, with: "size      some") == """
                SQLiteStore '\(place.file("a").path)'
                version   V1
                id        6F3C6E1A-0000-4000-8000-000000000001
                size      some
                checksum  621b1bedef525508e96db657dded356cf8cf4bafce2aec02cc18e8b83d348a5c

                entity       rows  version hash  checksum
                ───────────  ────  ────────────  ────────────
                Ship           16  d23a863cf4e5  c3ce149c664f
                Ferry: Ship     4  50b37d4e6623  2d4f2998dbec
                Port           10  0a26513cf881  baf6a4fddee4

                relationship  links  to    checksum
                ────────────  ─────  ────  ────────────
                Ship.calls       40  Port  19abbbe540ef
                Ship.rivals      10  Ship  c0b347ecfc15

                """)
    }

    @Test(arguments: [
        "postgresql://app:hun/ter2@127.0.0.1:1/prod", "postgresql://app:hun?ter2@127.0.0.1:1/prod",
        "postgresql://app:hun?ter2=1@127.0.0.1:1/prod", "postgresql://app:1@hunter2@127.0.0.1:1/prod",
        "postgresql://app:1/hunter2@127.0.0.1:1/prod", "sqlite://app:hun/ter2@host/x",
    ])
    func `a password that is not encoded is not shown`(_ url: String) throws {
        for command in [["inspect", url], ["check", url], ["copy", url, place.sqlite("b")]] {
            let outcome = try Program.run(command)
            #expect(outcome.code == 2 && outcome.output == "")
            #expect(outcome.errors.hasPrefix("coffer: "))
            #expect(!outcome.errors.contains("hun") && !outcome.errors.contains("ter2"))
        }
    }

    @Test func `inspect prints JSON with the option --json`() throws {
        let outcome = try Program.run("inspect", "--json", place.sqlite("a"))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(report["version"] as? String == "V1")
        #expect(report["id"] as? String == Harbour.id.uuidString)
        #expect(report["checksum"] == nil)
        #expect((report["bytes"] as? Int ?? 0) > 4096)
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Ship", "Ferry", "Port"])
        #expect(entities.map { $0["rows"] as? Int } == [16, 4, 10])
        #expect((entities[0]["versionHash"] as? String)?.count == 64)
    }

    @Test(.enabled(if: Place.server != nil, "set COFFER_POSTGRES_URL"))
    func `inspect prints the same checksum for PostgreSQL and SQLite, and the size of the store`() throws {
        let url = try #require(place.postgresql("a"))
        try Harbour.make(place, url)
        let reports = try [url, place.sqlite("a")].map { url in
            let outcome = try Program.run("inspect", "--json", "--checksums", url)
            return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        }
        #expect(reports[0]["checksum"] as? String == reports[1]["checksum"] as? String)
        #expect(reports.map { $0["type"] as? String } == ["PostgreSQL", "SQLite"])
        #expect((reports[0]["bytes"] as? Int ?? 0) > 8192)
    }

    @Test func `inspect creates no file if the store does not exist`() throws {
        let outcome = try Program.run("inspect", place.sqlite("none"))
        let path = place.file("none").path(percentEncoded: false)
        let error = "coffer: unavailable: There is no store at 'sqlite://\(path)' (SQLiteStore '\(path)').\n"
        #expect(outcome.errors == error)
        #expect(outcome.code == 2)
        #expect(try place.names() == ["a.sqlite"])
    }

    @Test func `invalid arguments exit with code 64`() throws {
        #expect(try Program.run("inspect").code == 64)
        #expect(try Program.run("inspect", place.sqlite("a"), "--colour").code == 64)
    }

    @Test func `a password is never printed`() throws {
        for command in ["inspect", "check", "sql"] {
            let arguments = [command, "postgresql://ann:s3cret@127.0.0.1:1/db?password=s3cret"]
            let outcome = try Program.run(arguments[0], arguments[1], command == "sql" ? "Ship" : "--json")
            #expect(outcome.code == 2)
            #expect(!(outcome.errors + outcome.output).contains("s3cret"))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }
}
