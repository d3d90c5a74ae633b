import CofferStorage
import Foundation
import Testing

/// The content of rows whose slots were written again.
struct RowWritingTests {
    /// Returns a row of a string, a blob and another string, without spare room.
    private static func row(_ values: [Value]) throws -> Row {
        try #require(Row.make(entity: 0, key: 1, version: 1, values: values, kinds: kinds))
    }

    private static let kinds: [ColumnKind] = [.text, .blob, .text]

    private static func values(_ row: Row) -> [Value] { kinds.indices.map { row.value($0, kinds[$0]) } }

    @Test(arguments: ["12345678", "é678", "1", ""])
    func `bytes that fit into the space of the former bytes need no extra room`(_ text: String) throws {
        let row = try Self.row([.text("abcdefgh"), .blob(Data([1, 2])), .text("last")])
        let builder = RowBuilder(copying: row)
        let fits = (0..<100).allSatisfy { _ in builder.write(text: text, 0) }
        let written = builder.build()
        #expect(fits)
        #expect(Self.values(written) == [.text(text), .blob(Data([1, 2])), .text("last")])
        #expect(written.tailSize == row.tailSize)
    }

    @Test func `bytes longer than the former bytes need extra room and are refused without it`() throws {
        let row = try Self.row([.text("abcd"), .blob(Data([1, 2])), .text("last")])
        let full = RowBuilder(copying: row)
        let fitsFull = full.write(text: "abcdefghi", 0)
        #expect(!fitsFull)
        #expect(Self.values(full.build()) == [.text("abcd"), .blob(Data([1, 2])), .text("last")])
        let roomy = RowBuilder(copying: row, room: 9)
        let fitsRoomy = roomy.write(text: "abcdefghi", 0)
        #expect(fitsRoomy)
        #expect(Self.values(roomy.build()) == [.text("abcdefghi"), .blob(Data([1, 2])), .text("last")])
        #expect(Self.values(row) == [.text("abcd"), .blob(Data([1, 2])), .text("last")])
    }

    @Test func `a slot that was null needs extra room`() throws {
        let builder = RowBuilder(copying: try Self.row([.text("abcd"), .null, .text("last")]), room: 8)
        builder.writeNull(0)
        let fits = [builder.write(blob: Data([7, 8]), 1), builder.write(text: "wxyz", 0)]
        #expect(fits == [true, true])
        #expect(Self.values(builder.build()) == [.text("wxyz"), .blob(Data([7, 8])), .text("last")])
    }

    @Test func `a string that was shortened can be lengthened again`() throws {
        let reference = RowReference(
            retaining: RowBuilder(
                copying: try Self.row([.text("abcdefgh"), .blob(Data()), .text("last")]), room: 32
            ).build())
        defer { reference.release() }
        for text in ["ab", "abc", "", "abcdefgh", "x"] {
            let fits = reference.edit { $0.write(text: text, 0) && $0.write(blob: Data(text.utf8), 1) }
            #expect(fits)
            #expect(Self.values(reference.row) == [.text(text), .blob(Data(text.utf8)), .text("last")], "\(text)")
        }
    }

    @Test func `a row is unique while there is no other reference to the row`() throws {
        let reference = RowReference(retaining: try Self.row([.text("abcd"), .null, .null]))
        defer { reference.release() }
        #expect(reference.isUnique)
        var other: Row? = reference.row
        #expect(!reference.isUnique)
        #expect(other.map(Self.values) == [.text("abcd"), .null, .null])
        other = nil
        #expect(reference.isUnique)
        let isWritten = reference.edit { $0.write(text: "x", 0) }
        #expect(isWritten)
        #expect(Self.values(reference.row) == [.text("x"), .null, .null])
    }
}
