import CofferStorage
import CofferStorageTools
import Foundation
import Testing

struct CopyTests {
    private let place: Place

    init() throws { place = try Place() }

    private func summary(_ url: String) throws -> StoreSummary {
        try place.withStore(url) { store, layout in
            let reader = try store.makeReader()
            defer { reader.finish() }
            return try reader.summary(layout)
        }
    }

    private func nextShip(_ url: String) throws -> Int64 {
        try place.withStore(url) { store, layout in
            try store.reserveKeys(1, root: try #require(layout.index(of: "Ship"))).lowerBound
        }
    }

    /// Copies from a first place through the others.
    private func copy(_ urls: String...) throws {
        for (from, to) in zip(urls, urls.dropFirst()) {
            let outcome = try Program.run("copy", from, to)
            #expect(outcome.errors == "" && outcome.code == 0)
            #expect(try summary(to) == summary(from))
            #expect(try place.metadata(to) == place.metadata(from))
            #expect(outcome.output.hasSuffix("checksum  \(try summary(from).checksum)\n"))
        }
    }

    @Test func `a copy has all rows and the same next keys`() throws {
        try Harbour.make(place, place.sqlite("a"), ships: 10_000)
        try copy(place.sqlite("a"), place.sqlite("b"))
        #expect(try nextShip(place.sqlite("b")) == 1_000_000)
        #expect(try place.names() == ["a.sqlite", "b.sqlite"])
    }

    @Test(.enabled(if: Place.server != nil, "set COFFER_POSTGRES_URL"))
    func `a copy from SQLite to PostgreSQL and back to SQLite keeps all data`() throws {
        try Harbour.make(place, place.sqlite("a"), ships: 10_000)
        try copy(place.sqlite("a"), try #require(place.postgresql("b")), place.sqlite("c"))
        #expect(try summary(place.sqlite("a")) == summary(place.sqlite("c")))
        #expect(try nextShip(place.sqlite("c")) == 1_000_000)
    }

    @Test(.enabled(if: Chinook.file != nil, "set COFFER_DATA to the folder of the open data"))
    func `a copy of the Chinook database keeps all rows and links`() throws {
        try Chinook.make(place, place.sqlite("a"))
        let summary = try summary(place.sqlite("a"))
        #expect(summary.rowCount + summary.linkCount == 15_607)
        #expect(summary.relationships.map(\.count) == [8715])
        if let server = place.postgresql("b") {
            try copy(place.sqlite("a"), server, place.sqlite("c"))
        } else {
            try copy(place.sqlite("a"), place.sqlite("c"))
        }
        #expect(try self.summary(place.sqlite("c")) == summary)
        #expect(try Program.run("check", place.sqlite("c")).code == 0)
    }

    @Test func `a copy to a store in memory is refused`() throws {
        try Harbour.make(place, place.sqlite("a"))
        let outcome = try Program.run("copy", place.sqlite("a"), "memory:")
        #expect(
            outcome.errors
                == "coffer: invalidConfiguration: A copy in memory is lost at exit. Give a file or a server.\n")
        #expect(outcome.code == 2)
    }

    @Test func `checking and copying a read-only store creates no files beside it`() throws {
        try Harbour.make(place, place.sqlite("a"))
        let before = try Data(contentsOf: place.file("a"))
        let other = try Place()
        let url = place.sqlite("a") + "?readonly=true"
        for arguments in [["check", url], ["inspect", "--checksums", url], ["copy", url, other.sqlite("b")]] {
            let outcome = try Program.run(arguments)
            #expect(outcome.errors == "" && outcome.code == 0)
            #expect(try place.names() == ["a.sqlite"])
        }
        #expect(try Data(contentsOf: place.file("a")) == before)
        #expect(try summary(other.sqlite("b")) == summary(place.sqlite("a")))
        #expect(try nextShip(other.sqlite("b")) == 1_000_000)
    }

    @Test func `a file in a read-only directory can be checked and copied`() throws {
        try Harbour.make(place, place.sqlite("a"))
        // Opened once, it keeps a log from then on: reading it takes two files beside it, or nobody who writes.
        try place.withStore(place.sqlite("a")) { _, _ in }
        func allow(_ file: Int, _ directory: Int) throws {
            for (url, mode) in [(place.file("a"), file), (place.directory, directory)] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
            }
        }
        defer { try? allow(0o644, 0o755) }
        let other = try Place()
        for (name, file) in [("b", 0o444), ("c", 0o644)] {
            try allow(file, 0o555)
            for arguments in [["check", place.sqlite("a")], ["copy", place.sqlite("a"), other.sqlite(name)]] {
                let outcome = try Program.run(arguments, keepsToModes: true)
                #expect(outcome.errors == "" && outcome.code == 0)
            }
            try allow(0o644, 0o755)
        }
        #expect(try summary(other.sqlite("b")) == summary(place.sqlite("a")))
        #expect(try summary(other.sqlite("c")) == summary(place.sqlite("a")))
    }

    @Test(.enabled(if: Place.server != nil, "set COFFER_POSTGRES_URL"))
    func `a PostgreSQL store can be checked and copied in a read-only session`() throws {
        let url = try #require(place.postgresql("a"))
        try Harbour.make(place, url)
        let reading = url + "&options=-c%20default_transaction_read_only%3Don"
        #expect(try Program.run("check", reading).code == 0)
        let outcome = try Program.run("copy", reading, place.sqlite("b"))
        #expect(outcome.errors == "" && outcome.code == 0)
        #expect(try summary(place.sqlite("b")) == summary(url))
        #expect(try nextShip(place.sqlite("b")) == 1_000_000)
    }

    @Test func `a copy to an existing store is refused and does not change the store`() throws {
        try Harbour.make(place, place.sqlite("a"))
        try place.make(place.sqlite("b"), Harbour.model) { _, _ in }
        let before = try Data(contentsOf: place.file("b"))
        let outcome = try Program.run("copy", place.sqlite("a"), place.sqlite("b"))
        #expect(
            outcome.errors
                == "coffer: unavailable: Something exists at '\(place.file("b").path)' already. Choose another place, "
                + "or remove it (load, SQLiteStore '\(place.file("b").path)').\n")
        #expect(outcome.code == 2)
        #expect(try Data(contentsOf: place.file("b")) == before)
    }

    @Test func `a killed copy leaves no incomplete file at its destination`() throws {
        try Harbour.make(place, place.sqlite("a"), ships: 5_000)
        let start = ContinuousClock.now
        try copy(place.sqlite("a"), place.sqlite("whole"))
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let expected = try summary(place.sqlite("whole"))
        var killed = 0
        for round in 0..<Self.kills {
            let to = place.sqlite("b")
            if try Program.kill(after: seconds * Double(round) / Double(Self.kills), "copy", place.sqlite("a"), to) {
                killed += 1
            }
            if try place.metadata(to) == nil {
                #expect(try !place.names().contains { $0 == "b.sqlite" || $0 == "b.sqlite-journal" })
            } else {
                #expect(try summary(to) == expected)
                try FileManager.default.removeItem(at: place.file("b"))
            }
        }
        #expect(killed > 0)
        try copy(place.sqlite("a"), place.sqlite("b"))
        #expect(try !place.names().contains { $0.contains(".loading-") })
    }

    @Test(.enabled(if: Place.server != nil, "set COFFER_POSTGRES_URL"))
    func `a killed copy to PostgreSQL leaves no incomplete store in the schema`() throws {
        try Harbour.make(place, place.sqlite("a"), ships: 5_000)
        let start = ContinuousClock.now
        try copy(place.sqlite("a"), try #require(place.postgresql("whole")))
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let expected = try summary(place.sqlite("a"))
        let to = try #require(place.postgresql("b"))
        for round in 0..<Self.kills {
            _ = try Program.kill(after: seconds * Double(round) / Double(Self.kills), "copy", place.sqlite("a"), to)
            guard try place.metadata(to) != nil else { continue }
            #expect(try summary(to) == expected)
            try place.withStore(to) { store, _ in try store.erase() }
        }
        try copy(place.sqlite("a"), to)
    }

    /// How often a copy is killed.
    private static let kills =
        ProcessInfo.processInfo.environment["COFFER_KILLS"].flatMap { Int($0) } ?? 6
}
