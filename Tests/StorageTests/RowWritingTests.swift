import CofferStorage
import Foundation
import Testing

/// What a row holds after its slots were written again.
struct RowWritingTests {
    /// A row of a text, a blob and another text, which has no room to spare.
    private static func row(_ values: [Value]) throws -> Row {
        try #require(Row.make(entity: 0, key: 1, version: 1, values: values, kinds: kinds))
    }

    private static let kinds: [ColumnKind] = [.text, .blob, .text]

    private static func values(_ row: Row) -> [Value] { kinds.indices.map { row.value($0, kinds[$0]) } }

    @Test(arguments: ["12345678", "é678", "1", ""])
    func `bytes that are no more than the former ones need no room`(_ text: String) throws {
        let row = try Self.row([.text("abcdefgh"), .blob(Data([1, 2])), .text("last")])
        let size = row.tailSize
        for _ in 0..<100 { #expect(row.write(text: text, 0)) }
        #expect(Self.values(row) == [.text(text), .blob(Data([1, 2])), .text("last")])
        #expect(row.tailSize == size)
    }

    @Test func `bytes that are more than the former ones get new room or none`() throws {
        let row = try Self.row([.text("abcd"), .blob(Data([1, 2])), .text("last")])
        #expect(!row.write(text: "abcdefghi", 0))
        #expect(Self.values(row) == [.text("abcd"), .blob(Data([1, 2])), .text("last")])
        let roomy = row.roomier(by: 9)
        #expect(roomy.write(text: "abcdefghi", 0))
        #expect(Self.values(roomy) == [.text("abcdefghi"), .blob(Data([1, 2])), .text("last")])
        #expect(Self.values(row) == [.text("abcd"), .blob(Data([1, 2])), .text("last")])
    }

    @Test func `a slot that was null has no former bytes`() throws {
        let row = try Self.row([.text("abcd"), .null, .text("last")]).roomier(by: 8)
        row.writeNull(0)
        #expect(row.write(blob: Data([7, 8]), 1))
        #expect(row.write(text: "wxyz", 0))
        #expect(Self.values(row) == [.text("wxyz"), .blob(Data([7, 8])), .text("last")])
    }

    @Test func `a text that was shortened can be lengthened`() throws {
        let row = try Self.row([.text("abcdefgh"), .blob(Data()), .text("last")]).roomier(by: 32)
        for text in ["ab", "abc", "", "abcdefgh", "x"] {
            #expect(row.write(text: text, 0))
            #expect(row.write(blob: Data(text.utf8), 1))
            #expect(Self.values(row) == [.text(text), .blob(Data(text.utf8)), .text("last")], "\(text)")
        }
    }
}
