import CofferRecords
import Foundation
import Testing

/// The division of files into records.
struct RecordReaderTests {
    private struct City: Decodable, Equatable {
        var name: String
        var population: Int?
    }

    /// Returns the records of a file: "line number name population", or "line number ! key reason".
    private func read(_ file: RecordFile) throws -> [String] {
        var reader = try RecordReader<City>(file)
        var records: [String] = []
        while let record = try reader.next() {
            let content =
                switch record.content {
                case .success(let city): "\(city.name) \(city.population.map(String.init) ?? "-")"
                case .failure(let refused): "! \(refused.key ?? "-") \(refused.reason)"
                }
            records.append("\(record.line) \(record.number) \(content)")
        }
        return records
    }

    private func read(_ name: String, _ text: String) throws -> [String] {
        let file = try TextFile(name, text)
        return try read(file.records())
    }

    @Test func `JSON lines may be empty, end with CR LF, and begin with a byte-order mark`() throws {
        let text = "\u{FEFF}{\"name\": \"Bonn\"}\r\n\n  \n{\"name\": \"Ulm\", \"population\": 5}"
        #expect(try read("cities.jsonl", text) == ["1 1 Bonn -", "4 2 Ulm 5"])
    }

    @Test func `a line that cannot be decoded does not end reading`() throws {
        let records = try read(
            "cities.ndjson",
            "{\"name\": 3}\n{\"name\": \"Ulm\"}\n{\"name\"\n{}\n{\"name\": \"Bonn\", \"population\": \"x\"}\n")
        #expect(records.count == 5)
        #expect(records[0] == "1 1 ! name Expected to decode String but found number instead.")
        #expect(records[1] == "2 2 Ulm -")
        #expect(records[2].hasPrefix("3 3 ! - The given data was not valid JSON."))
        #expect(records[3] == "4 4 ! name The record has no such key.")
        #expect(records[4].hasPrefix("5 5 ! population Expected to decode Int but found"))
    }

    @Test func `elements of an array can span lines and contain brackets, commas and quotation marks`() throws {
        let text = """
            [
              {"name": "a]}, \\"b",
               "population": 1},
              {"name": "c", "more": [[1, {"d": "]"}], 2]}
              , 7, {"name": "e"}
            ]

            """
        let records = try read("cities.json", text)
        #expect(records.count == 4)
        #expect(records[0] == "2 1 a]}, \"b 1")
        #expect(records[1] == "4 2 c -")
        #expect(records[2].hasPrefix("5 3 ! - Expected to decode"))
        #expect(records[3] == "5 4 e -")
        #expect(try read("cities.json", " [ ] ") == [])
    }

    @Test(arguments: [
        ("", 1, "The file ends before the array ends."), ("{}", 1, "The file does not begin with '['."),
        ("[{}\n {}]", 2, "There is no comma between two elements."),
        ("[{},\n]", 2, "An element is missing before or after a comma."),
        ("[{}\n", 2, "The file ends before the array ends."),
        ("[{},\n{\"a\": \"]", 2, "The file ends inside the element that begins here."),
        ("[]\n[]", 2, "The file has text after the end of the array."),
    ])
    func `an array that is not well-formed ends reading`(text: String, line: Int, reason: String) throws {
        let error = #expect(throws: RecordFileError.self) { try read("a.json", text) }
        #expect(error?.code == .damaged && error?.line == line && error?.file == "a.json")
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `fields of CSV may be quoted, with separators, line breaks and doubled quotation marks`() throws {
        let text = "\u{FEFF}name,population\r\n\"Bonn, \"\"am\r\nRhein\"\"\",3\r\n\r\nUlm,\n\"\",4\rEnd,5"
        #expect(
            try read("cities.csv", text)
                == ["2 1 Bonn, \"am\r\nRhein\" 3", "5 2 Ulm -", "6 3  4", "7 4 End 5"])
        #expect(try read("cities.tsv", "population\tname\n2\tA,B\n") == ["2 1 A,B 2"])
        let semicolons = try TextFile("cities.txt", "name;population\n\"a;b\";1")
        #expect(try read(RecordFile(semicolons.url, format: .csv(separator: ";"))) == ["2 1 a;b 1"])
    }

    @Test func `rows of CSV that break a rule are refused one by one`() throws {
        let text = "name,population\na\n\"b\" c,1\n\"d\"e,2\nf,g\nh,6\n"
        #expect(
            try read("cities.csv", text) == [
                "2 1 ! - The row has 1 fields, and the header has 2.",
                "3 2 ! - A field has text after its closing quotation mark.",
                "4 3 ! - A field has text after its closing quotation mark.",
                "5 4 ! population The content of the field is not a value of Int.", "6 5 h 6",
            ])
        let bytes = try TextFile(
            "cities.csv", Data("name,population\n".utf8) + [0xFF, 0x2C, 0x31, 0x0A] + Data("b,2".utf8))
        #expect(try read(bytes.records()) == ["2 1 ! - A field is not valid UTF-8.", "3 2 b 2"])
    }

    @Test(arguments: [
        ("", 1, "The file has no header row."),
        (
            "\n\na,b,a\n1,2,3", 3,
            "The header row has the name 'a' twice, in columns 1 and 3. Rename one of them."
        ),
        (
            "\n\"a\"b,c\n1,2", 2,
            "The header row cannot be read. A field has text after its closing quotation mark."
        ),
        ("a\n\"x\ry\r\nz\"\n\"abc\ndef", 5, "The file ends inside a quoted field of the row that begins here."),
        ("name\n\"abc\ndef", 2, "The file ends inside a quoted field of the row that begins here."),
    ])
    func `a CSV file with an invalid header or an unclosed quoted field ends reading`(
        text: String, line: Int, reason: String
    ) throws {
        let error = #expect(throws: RecordFileError.self) { try read("a.csv", text) }
        #expect(error == RecordFileError(.damaged, file: "a.csv", line: line, reason: reason))
    }

    @Test(arguments: ["a.json", "a.jsonl", "a.csv"])
    func `a record may not be larger than the limit`(name: String) throws {
        let long = String(repeating: "x", count: 700_000)
        let texts = ["a.json": "[\"\(long)\"]", "a.jsonl": "\"\(long)\"", "a.csv": "name\n\(long)\n"]
        let text = try TextFile(name, texts[name] ?? "")
        var file = try text.records()
        file.maximumRecordSize = 300_000
        let error = #expect(throws: RecordFileError.self) { try read(file) }
        #expect(error?.reason.hasPrefix("The record that begins here has more than 300000 bytes.") == true)
    }

    @Test(arguments: ["a.jsonl", "a.json", "a.csv"])
    func `a file in another encoding than UTF-8 is refused`(name: String) throws {
        let mark: [UInt8] = [0xFE, 0xFF], reversed: [UInt8] = [0xFF, 0xFE]
        for bytes in [mark + [0, 0x5B, 0, 0x5D], reversed + [0x5B, 0, 0x5D, 0], reversed + [0, 0, 0x5B, 0, 0, 0]] {
            let file = try TextFile(name, Data(bytes))
            let error = #expect(throws: RecordFileError.self) { try read(file.records()) }
            #expect(error?.description == "'\(name)', line 1: The file is UTF-16 or UTF-32. Convert it to UTF-8.")
        }
    }

    @Test func `a file that does not exist, and an unknown extension, are errors`() throws {
        let missing = #expect(throws: RecordFileError.self) { try read(RecordFile(URL(filePath: "/nowhere/a.json"))) }
        #expect(missing?.description == "'a.json': The file cannot be opened: No such file or directory.")
        let remote = #expect(throws: RecordFileError.self) {
            try read(RecordFile(#require(URL(string: "https://example.org/a.json"))))
        }
        #expect(remote?.description == "'a.json': The file cannot be opened: Protocol not supported.")
        let unknown = #expect(throws: RecordFileError.self) { try RecordFile(URL(filePath: "/nowhere/a.xls")) }
        #expect(unknown?.code == .unknownFormat)
    }

    @Test(arguments: ["jsonl", "json", "csv"])
    func `records that are longer than a piece of the file are read whole`(name: String) throws {
        // Pieces have 262,144 bytes. Records of many lengths end at, before and after the ends of pieces.
        let names = (0..<400).map { String(repeating: "é\u{1F600}", count: 1 + $0 * 7 % 997) }
        let text =
            switch name {
            case "jsonl": names.map { "{\"name\":\"\($0)\"}\n" }.joined()
            case "json": "[" + names.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",") + "]"
            default: "name,population\n" + names.map { "\"\($0)\",\n" }.joined()
            }
        let records = try read("a.\(name)", text)
        #expect(records.map { $0.split(separator: " ")[2] } == names.map { Substring($0) })
    }
}
