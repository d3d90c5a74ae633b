import CofferStorage
import CofferStorageTools
import Foundation
import Testing

struct CheckTests {
    private let place: Place

    init() throws { place = try Place() }

    @Test func `check reports no problems in a sound store`() throws {
        try Harbour.make(place, place.sqlite("a"))
        #expect(
            try Program.run("check", place.sqlite("a"))
                == Program.Outcome(output: "✔ No problem was found.\n", errors: "", code: 0))
        #expect(try Program.run("check", "--json", place.sqlite("a")).output == "[\n\n]\n")
    }

    /// Ships without a name, with a home or a rival that is not there, and with a port for a rival's key.
    private func makeWrong(_ url: String) throws {
        try place.make(url, Harbour.model) { loader, layout throws(StorageError) in
            guard let ship = layout.entity(named: "Ship"), let name = ship.slot(named: "name"),
                let home = ship.slot(named: "home"), let rivals = ship.relationship(named: "rivals"),
                case .links(let table, _) = layout.relationships[rivals].storage
            else { throw .invalidModel("There is no 'Ship'.") }
            var rows: [Row] = []
            for key in 1...8 as ClosedRange<Int64> {
                let row = RowBuilder(
                    entity: ship.index, key: key, version: 1, slotCount: ship.kinds.count, tailCapacity: 16)
                if key != 3 { _ = row.write(text: "Ship \(key)", name) }
                if key > 2 { row.write(integer: key * 100, home) }
                rows.append(row.build())
            }
            try loader.add(rows)
            try loader.add([.init(table: table, first: 1, second: 2), .init(table: table, first: 1, second: 77)])
        }
    }

    private static let wrong = """
        ✘ 'Ship.name' has no value but requires one, once (key 3).
        ✘ 'Ship.home' refers to a missing or wrong row, 6 times (key 3, 4, 5, 6, 7, …).
        ✘ A link of 'Ship.rivals' refers to a missing or wrong row, once (key 1).

        """

    @Test func `check lists the problems of a store and exits with code 1`() throws {
        try makeWrong(place.sqlite("a"))
        #expect(
            try Program.run("check", place.sqlite("a"))
                == Program.Outcome(output: Self.wrong, errors: "", code: 1))
        let report = try Program.run("check", "--json", place.sqlite("a"))
        let problems = try JSONDecoder().decode([StoreProblem].self, from: Data(report.output.utf8))
        #expect(problems.map(\.kind) == [.missingValue, .danglingReference, .danglingLink])
        #expect(problems.map(\.count) == [1, 6, 1])
        #expect(report.code == 1)
    }

    @Test(.enabled(if: Place.server != nil, "set COFFER_POSTGRES_URL"))
    func `check lists the same problems on PostgreSQL`() throws {
        let url = try #require(place.postgresql("a"))
        try makeWrong(url)
        #expect(try Program.run("check", url) == Program.Outcome(output: Self.wrong, errors: "", code: 1))
    }

    @Test func `check reports that a file is damaged`() throws {
        try Harbour.make(place, place.sqlite("a"), ships: 5_000)
        let handle = try FileHandle(forUpdating: place.file("a"))
        for page in stride(from: 12, through: 40, by: 4) as StrideThrough<UInt64> {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try handle.close()
        let outcome = try Program.run("check", place.sqlite("a"))
        #expect(outcome.code == 1)
        #expect(outcome.errors == "")
        #expect(outcome.output.hasPrefix("✘ The store is damaged: "))
    }

    @Test func `check refuses a file that is not a store`() throws {
        try Data("no database".utf8).write(to: place.file("a"))
        let outcome = try Program.run("check", place.sqlite("a"))
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("coffer: foreign: "))
    }
}
