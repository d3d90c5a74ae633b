import CofferStorage
import Testing

@testable import CofferPostgreSQL

/// The addresses of replicas and their positions, as far as no server has to be queried.
struct ReplicaAddressTests {
    private let url = "postgresql://ann:s3cret@db:5499/people?schema=app&target_session_attrs=read-write"

    @Test(
        arguments: [
            ("copy", "people.app at copy:5499"), ("copy:5433", "people.app at copy:5433"),
            ("[::1]:5433", "people.app at ::1:5433"), ("[::1]", "people.app at ::1:5499"),
            ("/run/copy:5433", "people.app at /run/copy:5433"),
            ("postgresql://other:1/copied", "copied.app at other:1"),
            ("host=other port=1 dbname=copied", "copied.app at other:1"),
        ])
    func `a replica has the options of the primary except its address`(_ place: String, _ name: String) throws {
        let replica = try #require(try PostgreSQLAddress(url, schema: nil, replicas: [place]).replicas.first)
        #expect(replica.name == name)
        #expect(replica.overrides["target_session_attrs"] == "any")
    }

    @Test func `the replicas of a URL override the replicas of the configuration`() throws {
        let address = try PostgreSQLAddress("\(url)&replicas=a,b:5433", schema: nil, replicas: ["c"])
        #expect(address.replicas.map(\.name) == ["people.app at a:5499", "people.app at b:5433"])
        #expect(!address.connectionString.contains("replicas"))
    }

    @Test func `a replica does not inherit the hosts and ports of a primary with several hosts`() throws {
        let address = try PostgreSQLAddress("postgresql://a:1,b:2/people", schema: nil, replicas: ["copy"])
        #expect(address.replicas.map(\.name) == ["people at copy:5432"])
    }

    @Test(arguments: [
        "", "copy:", "copy:0", "copy:s3cret", "a,b", "::1", "[::1", "s3cret@a b", "postgresql://s3cret@%zz",
    ])
    func `an invalid replica address is refused`(_ place: String) {
        let error = #expect(throws: StorageError.self) {
            try PostgreSQLAddress(url, schema: nil, replicas: ["copy", place])
        }
        #expect(error?.code == .unavailable)
        #expect(error?.debugDescription.contains("s3cret") == false)
    }

    @Test func `a replica URL can replace a host address, and a replica host name cannot`() throws {
        let numbered = "hostaddr=127.0.0.1 dbname=people"
        #expect(throws: StorageError.self) { try PostgreSQLAddress(numbered, schema: nil, replicas: ["copy"]) }
        let address = try PostgreSQLAddress(numbered, schema: nil, replicas: ["postgresql://copy/people"])
        #expect(address.replicas.map(\.name) == ["people at copy:5432"])
    }

    @Test func `the seen position advances in its timeline and to later timelines, never back`() {
        func position(_ system: Int64, _ timeline: Int64, _ offset: Int64) -> PostgreSQLPosition {
            PostgreSQLPosition(system: system, timeline: timeline, offset: offset)
        }
        var seen = position(1, 2, 500)
        let steps = [
            (position(1, 2, 400), position(1, 2, 500)), (position(1, 2, 600), position(1, 2, 600)),
            (position(1, 1, 900), position(1, 2, 600)), (position(1, 3, 550), position(1, 3, 550)),
            (position(9, 1, 10), position(9, 1, 10)),
        ]
        for (next, expected) in steps {
            seen.advance(to: next)
            #expect(seen == expected)
        }
    }
}
