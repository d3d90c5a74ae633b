import CofferRecords
import CofferStorage
import Foundation
import Testing

/// The beginnings and ends of records, and the records that readers and writers refuse.
struct RecordPlaceTests {
    private struct Thing: Decodable {
        var name: String
        var number: Int?
    }

    private func names(_ file: RecordFile) throws -> [String] {
        var reader = try RecordReader<Thing>(file)
        var names: [String] = []
        while let record = try reader.next() { names.append((try? record.content.get().name) ?? "!") }
        return names
    }

    @Test func `a quotation mark inside an unquoted field is an ordinary character`() throws {
        let file = try TextFile("a.csv", "name,number\n5\" nail,\"1\"\n6\" \"\"nail\"\",\"2\"\n\"a\nb\",3\n")
        #expect(try names(file.records()) == ["5\" nail", "6\" \"\"nail\"\"", "a\nb"])
    }

    @Test func `the rest of a quoted field is never read as a record`() throws {
        // If the second line of the quoted field were a record, its comma would separate two fields.
        let inches = try TextFile("a.csv", "name,note\n5\" nail,\"first\nFake,row\n\"\nb,2\n")
        #expect(try names(inches.records()) == ["5\" nail", "b"])
        let file = try TextFile("a.csv", "name,note\nok,1\n\"5\" nail,\"first\nFake,row\n\"\nb,2\n")
        let error = #expect(throws: RecordFileError.self) { try names(file.records()) }
        #expect(error?.code == .damaged && error?.line == 3)
        #expect(
            error?.reason
                == "A field has text after its closing quotation mark. The row then has another quotation mark, so "
                + "the end of the row cannot be found. Write each quotation mark inside a quoted field twice.")
        // Without another quotation mark, the row ends at the end of its line.
        let harmless = try TextFile("a.csv", "name,note\n\"a\"b,1\nc,2\n")
        #expect(try names(harmless.records()) == ["!", "c"])
    }

    @Test(arguments: ["a.jsonl", "a.json", "a.csv"])
    func `copies of a reader share its position in the file`(name: String) throws {
        let texts = [
            "a.jsonl": "{\"name\": \"a\"}\n{\"name\": \"b\"}\n{\"name\": \"c\"}\n",
            "a.json": "[{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]",
            "a.csv": "name,number\na,1\nb,2\nc,3\n",
        ]
        // The string is longer than one piece of the file, so a copy of the reader would have to read again.
        let long = String(repeating: "x", count: 600_000)
        let text = try TextFile(name, (texts[name] ?? "").replacing("b", with: long))
        var reader = try RecordReader<Thing>(text.records())
        #expect(try reader.next()?.content.get().name == "a")
        var copy = reader
        let second = try #require(try copy.next())
        #expect(try second.number == 2 && second.content.get().name == long)
        let third = try #require(try reader.next())
        #expect(try third.number == 3 && third.content.get().name == "c")
        let byteCount = reader.byteCount
        #expect(copy.byteCount == byteCount)
        #expect(try copy.next() == nil)
    }

    @Test(arguments: ["a.json", "a.jsonl", "a.csv"])
    func `the size limit also applies to a record that fits in one piece of the file`(name: String) throws {
        let long = String(repeating: "x", count: 1_000)
        let object = "{\"name\": \"\(long)\"}"
        let texts = ["a.json": "[\(object)]", "a.jsonl": object, "a.csv": "name\n\(long)\n"]
        let text = try TextFile(name, texts[name] ?? "")
        var file = try text.records()
        #expect(try names(file) == [long])
        file.maximumRecordSize = 900
        let error = #expect(throws: RecordFileError.self) { try names(file) }
        #expect(error?.reason.hasPrefix("The record that begins here has more than 900 bytes.") == true)
    }

    @Test(arguments: ["\"", "\n", "\r", "\r\n", "é"] as [Character])
    func `readers and writers refuse the same separators`(separator: Character) throws {
        let file = try TextFile("a.csv", "name\n")
        let format = RecordFormat.csv(separator: separator)
        let read = #expect(throws: RecordFileError.self) { try names(RecordFile(file.url, format: format)) }
        let handle = try FileHandle(forWritingTo: file.url)
        let written = #expect(throws: RecordFileError.self) {
            try RecordWriter(to: handle, format: format, keys: ["name"], name: "a.csv")
        }
        #expect(read == written && read?.code == .unknownFormat && read?.file == "a.csv")
        #expect(
            read?.reason
                == "'\(separator)' cannot separate fields. Use an ASCII character other than '\"' and line ends.")
    }

    @Test func `a record with more or fewer values than keys is not written`() throws {
        let file = try TextFile("a.jsonl", "")
        var writer = try RecordWriter(
            to: FileHandle(forWritingTo: file.url), format: .jsonLines, keys: ["a", "b"], name: "a.jsonl")
        for values in [[RecordValue.absent], [.absent, .absent, .absent]] {
            let error = #expect(throws: RecordFileError.self) { try writer.write(values) }
            #expect(error?.code == .wrongValueCount)
            #expect(
                error?.description
                    == "'a.jsonl': A record has \(values.count) values, but there are 2 keys. Give each key one value. "
                    + "Use '.absent' for a missing value.")
        }
        try writer.write([.value(.integer(1)), .absent])
        try writer.finish()
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "{\"a\":1}\n")
    }

    @Test func `an unknown column has the error code unknownKey`() throws {
        let file = try TextFile("a.csv", "name,nam\na,1\n")
        let fields = [RecordField(name: "name", type: .stringAttributeType, isOptional: false)]
        let error = #expect(throws: RecordFileError.self) { try RecordReader(file.records(), fields: fields) }
        #expect(error?.code == .unknownKey)
    }
}
