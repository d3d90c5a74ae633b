import CofferRecords
import CofferStorage
import Foundation
import Testing

/// Written records, which a reader must read with the same values.
struct RecordWriterTests {
    private static let fields: [RecordField] = [
        .init(name: "text", type: .stringAttributeType, isOptional: true),
        .init(name: "a,b \"c\"", type: .integer64AttributeType, isOptional: true),
        .init(name: "double", type: .doubleAttributeType, isOptional: true),
        .init(name: "decimal", type: .decimalAttributeType, isOptional: true),
        .init(name: "flag", type: .booleanAttributeType, isOptional: true),
        .init(name: "date", type: .dateAttributeType, isOptional: true),
        .init(name: "blob", type: .binaryDataAttributeType, isOptional: true),
    ]

    private static let samples: [[Value]] = [
        [.text(""), .text("a,b\"c\"\r\nd\te\u{301}"), .text("\u{FEFF}x"), .text("\"\u{301}"), .text(" \u{1}\\/ 😀")],
        [.integer(0), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993)],
        [.double(0.1), .double(-1e300), .double(5e-300), .double(.infinity), .double(-.infinity), .double(3)],
        [
            .decimal(Decimal(string: "12345678901234567890.123456789012345678") ?? 0), .decimal(-0.5), .decimal(7),
            .decimal(Decimal(string: "1e40") ?? 0),
        ],
        [.boolean(true), .boolean(false)],
        [.date(0), .date(0.1), .date(-978_307_200.25), .date(1e15), .date(700_000_000.123456)],
        [.blob(Data()), .blob(Data([0, 255, 13, 10]))],
    ]

    private static let rows: [[RecordValue]] = (0..<12).map { row in
        samples.enumerated().map { column, values in
            row % 5 == column % 5 ? .value(.null) : .value(values[row % values.count])
        }
    }

    @Test(arguments: ["jsonl", "json", "csv", "tsv"])
    func `values of every type are read as they were written`(name: String) throws {
        let file = try TextFile("a.\(name)", "")
        let format = try #require(RecordFormat(fileExtension: name))
        let handle = try FileHandle(forWritingTo: file.url)
        var writer = try RecordWriter(to: handle, format: format, keys: Self.fields.map(\.name))
        for row in Self.rows { try writer.write(row) }
        try writer.finish()
        try handle.close()

        var reader = try RecordReader(file.records(), fields: Self.fields)
        var found: [[RecordValue]] = []
        while let record = try reader.next() { found.append(try record.content.get().values) }
        for (row, expected) in zip(found, Self.rows) { #expect(row == expected) }
        #expect(found.count == Self.rows.count)
    }

    @Test func `lists are written to JSON, and an absent key is left out`() throws {
        let file = try TextFile("a.jsonl", "")
        let handle = try FileHandle(forWritingTo: file.url)
        var writer = try RecordWriter(to: handle, format: .jsonLines, keys: ["a", "b"])
        try writer.write([.absent, .list([.text("x"), .text("y\"")])])
        try writer.write([.absent, .absent])
        try writer.finish()
        try handle.close()
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "{\"b\":[\"x\",\"y\\\"\"]}\n{}\n")
        let field = RecordField(name: "b", type: .stringAttributeType, isOptional: false, isList: true)
        var reader = try RecordReader(file.records(), fields: [field])
        #expect(try reader.next()?.content.get().values == [.list([.text("x"), .text("y\"")])])
        #expect(try reader.next()?.content.get().values == [.absent])
    }

    @Test(arguments: ["jsonl", "json", "csv"])
    func `NaN is refused, and the other records are written`(name: String) throws {
        let file = try TextFile("a.\(name)", "")
        let format = try #require(RecordFormat(fileExtension: name))
        let field = RecordField(name: "a", type: .doubleAttributeType, isOptional: true)
        var writer = try RecordWriter(to: FileHandle(forWritingTo: file.url), format: format, keys: ["a"])
        try writer.write([.value(.double(1))])
        let wrong: [RecordValue] = [
            .value(.double(.nan)), .value(.date(.nan)), .value(.decimal(.nan)), .list([.null, .decimal(.nan)]),
        ]
        for value in wrong {
            let error = #expect(throws: RecordFileError.self) { try writer.write([value]) }
            #expect(error?.code == .invalidValue && error?.reason.hasPrefix("The value of 'a' is not a number") == true)
        }
        try writer.write([.value(.double(.infinity))])
        try writer.finish()
        var reader = try RecordReader(file.records(), fields: [field])
        for expected in [1, Double.infinity] {
            #expect(try reader.next()?.content.get().values == [.value(.double(expected))])
        }
        #expect(try reader.next() == nil)
    }

    @Test(arguments: ["jsonl", "json", "csv"])
    func `after finish, a writer refuses records, and another finish changes nothing`(name: String) throws {
        let file = try TextFile("a.\(name)", "")
        let format = try #require(RecordFormat(fileExtension: name))
        var writer = try RecordWriter(to: FileHandle(forWritingTo: file.url), format: format, keys: ["a"])
        try writer.write([.value(.integer(1))])
        try writer.finish()
        let text = try String(contentsOf: file.url, encoding: .utf8)
        try writer.finish()
        let error = #expect(throws: RecordFileError.self) { try writer.write([.value(.integer(2))]) }
        #expect(error?.code == .finished)
        try writer.finish()
        #expect(try String(contentsOf: file.url, encoding: .utf8) == text)
    }

    @Test func `a writer whose write failed throws the same error again`() throws {
        let file = try TextFile("a.jsonl", "")
        var writer = try RecordWriter(to: FileHandle(forReadingFrom: file.url), format: .jsonLines, keys: ["a"])
        try writer.write([.value(.integer(1))])
        let first = try #require(#expect(throws: RecordFileError.self) { try writer.finish() })
        #expect(first.code == .unavailable)
        #expect(throws: first) { try writer.finish() }
        #expect(throws: first) { try writer.write([.value(.integer(2))]) }
    }

    @Test func `a writer refuses duplicate keys and CSV without keys`() throws {
        for (format, keys) in [(RecordFormat.jsonLines, ["a", "b", "a"]), (.csv(), ["a", "a"]), (.csv(), [])] {
            let error = #expect(throws: RecordFileError.self) {
                try RecordWriter(to: .nullDevice, format: format, keys: keys)
            }
            #expect(error?.code == .invalidKeys)
        }
    }

    @Test func `an array without records is empty`() throws {
        let file = try TextFile("a.json", "")
        let handle = try FileHandle(forWritingTo: file.url)
        var writer = try RecordWriter(to: handle, format: .jsonArray, keys: ["a"])
        try writer.finish()
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "[]\n")
    }

    @Test(arguments: [
        (AttributeType.integer16AttributeType, "40000"), (.integer32AttributeType, "1.5"),
        (.integer64AttributeType, "\"1\""),
        (.booleanAttributeType, "1"), (.dateAttributeType, "\"yesterday\""), (.binaryDataAttributeType, "\"?\""),
        (.stringAttributeType, "null"), (.doubleAttributeType, "\"nan\""), (.decimalAttributeType, "\"1x\""),
    ])
    func `a record with a value of another type is refused, and the error names the key`(
        type: AttributeType, json: String
    ) throws {
        let file = try TextFile("a.jsonl", "{\"key\": \(json)}")
        var reader = try RecordReader(
            file.records(), fields: [.init(name: "key", type: type, isOptional: false)])
        guard case .failure(let refused)? = try reader.next()?.content else {
            Issue.record("The record was read.")
            return
        }
        #expect((refused.line, refused.number, refused.key) == (1, 1, "key"))
    }

    @Test func `an unknown key refuses the record or the header, unless unknown keys are ignored`() throws {
        let fields = [RecordField(name: "name", type: .stringAttributeType, isOptional: false)]
        let lines = try TextFile("a.jsonl", "{\"name\": \"a\", \"nam\": 1}")
        var strict = try RecordReader(lines.records(), fields: fields)
        guard case .failure(let refused)? = try strict.next()?.content else {
            Issue.record("The record was read.")
            return
        }
        #expect(refused.key == "nam")
        var lenient = try RecordReader(lines.records(), fields: fields, ignoresUnknownKeys: true)
        #expect(try lenient.next()?.content.get().values == [.value(.text("a"))])
        let rows = try TextFile("a.csv", "name,nam\na,1")
        let error = #expect(throws: RecordFileError.self) { try RecordReader(rows.records(), fields: fields) }
        #expect(error?.line == 1 && error?.reason.hasPrefix("Column 'nam': The key is unknown.") == true)
        var columns = try RecordReader(rows.records(), fields: fields, ignoresUnknownKeys: true)
        #expect(try columns.next()?.content.get().values == [.value(.text("a"))])
    }
}
