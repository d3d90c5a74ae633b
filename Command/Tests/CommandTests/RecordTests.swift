import CofferConfiguration
import CofferRecords
import CofferStorage
import Foundation
import Testing

/// `coffer import` and `coffer export`.
struct RecordTests {
    private let place: Place

    init() throws { place = try Place() }

    private static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Thing",
                attributes: [
                    .init(name: "code", type: .stringAttributeType),
                    .init(name: "count", type: .integer64AttributeType, defaultValue: .integer(7)),
                    .init(name: "weight", type: .doubleAttributeType, isOptional: true),
                    .init(name: "price", type: .decimalAttributeType, isOptional: true),
                    .init(name: "isNew", type: .booleanAttributeType, isOptional: true),
                    .init(name: "made", type: .dateAttributeType, isOptional: true),
                    .init(name: "picture", type: .binaryDataAttributeType, isOptional: true),
                    .init(name: "ident", type: .stringAttributeType, isOptional: true, isUUID: true),
                ],
                relationships: [.init(name: "box", destination: "Box", inverse: "things", isToMany: false)],
                uniqueConstraints: [["code"]]),
            EntityDescription(
                name: "Box", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [.init(name: "things", destination: "Thing", inverse: "box", isToMany: true)],
                uniqueConstraints: [["name"]]),
        ])

    /// A store of two boxes and some things.
    private func makeStore(_ url: String, things: Int64) throws {
        try place.make(url, Self.model) { loader, layout throws(StorageError) in
            func row(_ name: String, _ key: Int64, _ values: [String: Value]) throws(StorageError) -> Row {
                guard let entity = layout.entity(named: name),
                    let row = Row.make(
                        entity: entity.index, key: key, version: 1,
                        values: entity.columns.map { values[$0.name] ?? .null }, kinds: entity.kinds)
                else { throw .invalidModel("There is no '\(name)'.") }
                return row
            }
            var rows: [Row] = []
            for key in 0..<things {
                rows.append(
                    try row(
                        "Thing", key + 1,
                        [
                            "code": .text("c\(key),\"é\"\n"), "count": .integer(key << 40),
                            "weight": key % 3 == 0 ? .null : .double(Double(key) / 7),
                            "price": .decimal(Decimal(key) / 8), "isNew": .boolean(key % 2 == 0),
                            "made": .date(Double(key) * 1_000.001),
                            "picture": .blob(Data(repeating: UInt8(key % 256), count: Int(key % 5))),
                            "ident": .text("6f3c6e1a-0000-4000-8000-\(String(format: "%012d", Int(key)))"),
                            "box": key % 4 == 0 ? .null : .integer(key % 2 + 1),
                        ]))
            }
            try loader.add(rows)
            var boxes: [Row] = []
            for key in 1...2 as ClosedRange<Int64> { boxes.append(try row("Box", key, ["name": .text("Box \(key)")])) }
            try loader.add(boxes)
            for root in layout.entities.indices { try loader.continueKeys(at: 10_000, root: root) }
        }
    }

    /// The rows of an entity by their values, with references as the names of boxes.
    private func content(_ url: String) throws -> [[Value]] {
        try place.withStore(url) { store, layout in
            try store.read { reader throws(StorageError) in
                guard let thing = layout.entity(named: "Thing"), let box = layout.entity(named: "Box"),
                    let slot = thing.slot(named: "box"), let name = box.slot(named: "name")
                else { throw .invalidModel("There is no 'Thing'.") }
                var names: [Int64: Value] = [:]
                for row in try reader.rows(RowRequest(entity: box.index)) { names[row.key] = row.value(name, .text) }
                let rows = try reader.rows(RowRequest(entity: thing.index)).map { row in
                    thing.columns.enumerated().map { place, column in
                        guard place == slot, !row.isNull(slot) else { return row.value(place, column.kind) }
                        return names[row.integer(slot)] ?? .null
                    }
                }
                return rows.sorted { "\($0[0])" < "\($1[0])" }
            }
        }
    }

    private func run(_ arguments: String...) throws -> String {
        let outcome = try Program.run(arguments)
        #expect(outcome.errors.isEmpty || arguments[0] == "export", "\(outcome.errors)")
        #expect(outcome.code == 0)
        return outcome.output
    }

    private func path(_ name: String) -> String { place.directory.appending(path: name).path(percentEncoded: false) }

    @Test(arguments: ["jsonl", "json", "csv", "tsv"], [false, true])
    func `rows that are exported and imported into another backend stay equal`(_ format: String, _ isBack: Bool) throws
    {
        let urls = [place.sqlite("a"), place.postgresql("b") ?? place.sqlite("b")]
        let (from, to) = isBack ? (urls[1], urls[0]) : (urls[0], urls[1])
        try makeStore(from, things: 300)
        try place.make(to, Self.model) { _, _ in }
        let (boxes, things) = (path("boxes.\(format)"), path("things.\(format)"))
        #expect(try run("export", from, "Box", boxes) == "Exported 2 rows of 'Box'.\n")
        #expect(try run("export", from, "Thing", things) == "Exported 300 rows of 'Thing'.\n")
        #expect(
            try run("import", to, "Box", boxes, "--key", "name")
                == "Read 2 records: 2 created, 0 updated, 0 refused.\n")
        #expect(
            try run("import", to, "Thing", things, "--key", "code", "--batch", "70")
                == "Read 300 records: 300 created, 0 updated, 0 refused.\n")
        #expect(try content(to) == content(from))
        #expect(
            try run("import", to, "Thing", things, "--key", "code")
                == "Read 300 records: 0 created, 300 updated, 0 refused.\n")
        #expect(try content(to) == content(from))
        #expect(try run("check", to) == "✔ No problem was found.\n")
    }

    @Test func `export writes JSON lines to the standard output and names the omitted properties`() throws {
        try makeStore(place.sqlite("a"), things: 1)
        let outcome = try Program.run("export", place.sqlite("a"), "Box")
        #expect(outcome.output == "{\"name\":\"Box 1\"}\n{\"name\":\"Box 2\"}\n")
        #expect(outcome.errors == "coffer: The export omits 'things'. 'coffer copy' copies every property.\n")
    }

    @Test func `refused records are listed, and nothing is saved without --keep-others`() throws {
        let url = place.sqlite("a")
        try makeStore(url, things: 0)
        let file = path("a.jsonl")
        try """
        {"code": "a", "box": "Box 1"}
        {"code": "b", "box": "Box 9"}
        {"count": 1}
        {"code": "d", "count": "many"}
        {"code": "e", "ident": "no"}
        {"code": "a", "count": 2}
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let refused = try Program.run("import", url, "Thing", file, "--key", "code")
        #expect(refused.code == 1)
        #expect(refused.output.hasSuffix("Read 6 records: 0 created, 0 updated, 4 refused.\nNothing was saved.\n"))
        #expect(try content(url).isEmpty)
        let kept = try Program.run("import", url, "Thing", file, "--key", "code", "--keep-others")
        #expect(kept.code == 1)
        #expect(kept.output.contains("✘ line 2, record 2, key 'box': No 'Box' has this value of 'name'.\n"))
        #expect(kept.output.contains("✘ line 3, record 3, key 'code': "))
        #expect(kept.output.contains("✘ line 4, record 4, key 'count': "))
        #expect(kept.output.contains("✘ line 5, record 5, key 'ident': The string is not a UUID.\n"))
        #expect(kept.output.hasSuffix("Read 6 records: 1 created, 1 updated, 4 refused.\n"))
        let rows = try content(url)
        #expect(rows.count == 1 && rows[0].contains(.text("a")) && rows[0].contains(.integer(2)))
        #expect(rows[0].contains(.text("Box 1")))
    }

    @Test func `a record without a key does not overwrite a row with the same unique values`() throws {
        let url = place.sqlite("a")
        try makeStore(url, things: 0)
        let file = path("a.csv")
        try "code,count\na,1\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try run("import", url, "Thing", file) == "Read 1 records: 1 created, 0 updated, 0 refused.\n")
        let again = try Program.run("import", url, "Thing", file)
        #expect(again.code == 2 && again.errors.hasPrefix("coffer: uniqueViolation:"))
        #expect(again.errors.hasSuffix(" Nothing was saved.\n"))
        #expect(try content(url).count == 1)
    }

    @Test(arguments: [
        (["Thin"], "The store has no entity 'Thin'. Its entities are 'Thing', 'Box'."),
        (["Thing", "--key", "cod"], "'Thing' has no attribute 'cod'."),
        (["Thing", "--format", "xml"], "The format 'xml' is unknown. Give --format jsonl, json, csv or tsv."),
        (
            ["Box"],
            "'a.csv', line 1: Column 'code': The key is unknown. The keys are 'name'. An option ignores unknown keys. "
                + "Nothing was saved."
        ),
    ])
    func `an import that cannot begin prints an error in one line`(arguments: [String], message: String) throws {
        let url = place.sqlite("a")
        try makeStore(url, things: 0)
        let file = path("a.csv")
        try "code,count\na,1\n".write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try Program.run(["import", url, arguments[0], file] + arguments.dropFirst())
        #expect(outcome == Program.Outcome(output: "", errors: "coffer: \(message)\n", code: 2))
    }

    @Test func `an export keeps the mode of a file, follows symbolic links, and writes pipes directly`() throws {
        let url = place.sqlite("a")
        try makeStore(url, things: 0)
        let (target, link, pipe) = (path("boxes.jsonl"), path("link.jsonl"), path("pipe.jsonl"))
        let rows = "{\"name\":\"Box 1\"}\n{\"name\":\"Box 2\"}\n"
        try "old".write(toFile: target, atomically: true, encoding: .utf8)
        #expect(chmod(target, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try run("export", url, "Box", link) == "Exported 2 rows of 'Box'.\n")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == rows)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: target)
        let dangling = try Program.run("export", url, "Box", link)
        #expect(dangling.code != 0 && dangling.errors.contains("is a link to a file that does not exist"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(mkfifo(pipe, 0o600) == 0)
        // Open for both, so that neither side waits for the other.
        let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
        let outcome = try Program.run("export", url, "Box", pipe)
        #expect(outcome.output == "" && outcome.code == 0)
        #expect(outcome.errors.hasSuffix("Exported 2 rows of 'Box'.\n"))
        #expect(try reader.read(upToCount: rows.utf8.count) == Data(rows.utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
    }

    @Test func `export omits and names a relationship to rows whose unique attribute is optional`() throws {
        let url = place.sqlite("a")
        var model = Self.model
        model.entities[1].attributes[0].isOptional = true
        try place.make(url, model) { _, _ in }
        let outcome = try Program.run("export", url, "Thing", path("things.csv"))
        #expect(outcome.errors == "coffer: The export omits 'box'. 'coffer copy' copies every property.\n")
        #expect(try String(contentsOfFile: path("things.csv"), encoding: .utf8).contains("box") == false)
    }

    @Test func `the separator option is only valid for CSV`() throws {
        let url = place.sqlite("a")
        try makeStore(url, things: 0)
        let json = try Program.run("export", url, "Box", path("a.csv"), "--format", "json", "--separator", ";")
        #expect(json.errors == "coffer: --separator is for CSV, but the format is 'json'. Give --format csv.\n")
        #expect(json.code == 2)
        #expect(try run("export", url, "Box", path("a.csv"), "--separator", ";") == "Exported 2 rows of 'Box'.\n")
        let quote = try Program.run("export", url, "Box", path("b.csv"), "--separator", "\"")
        #expect(
            quote.errors
                == "coffer: 'b.csv': '\"' cannot separate fields. Use an ASCII character other than '\"' and line ends.\n"
        )
        #expect(!FileManager.default.fileExists(atPath: path("b.csv")))
    }
}
