import Coffer
import Foundation
import Testing

@testable import CofferSchema

/// Bytes that are meant to stop the program that decodes them.
struct NestedValueTests {
    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    private func xml(_ depth: Int, _ before: String = "") -> Data {
        let (start, end) = (String(repeating: "<array>", count: depth), String(repeating: "</array>", count: depth))
        return Data("<?xml version=\"1.0\"?>\(before)<plist version=\"1.0\">\(start)\(end)</plist>".utf8)
    }

    private let tooDeep = "The bytes contain more than 512 nested levels."
    private let notAList = "The bytes are not a property list in the binary or the XML format."
    private let tooLarge = "The bytes declare more content than they contain."

    @Test func `property lists in XML that nest too deeply are refused`() {
        for data in [
            xml(100_000), xml(513), xml(100_000, "<!-- \(String(repeating: "</array>", count: 100_000)) -->"),
            Data("\u{FEFF}".utf8) + xml(100_000),
        ] {
            #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(data) } == tooDeep)
        }
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(xml(1, "</array>")) } == notAList)
    }

    @Test func `property lists in XML are read`() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: [["a": [1, 2]]], format: .xml, options: 0)
        #expect(try FieldCoders.Plist<[String: [Int]]>.decoded(data) == ["a": [1, 2]])
        try PropertyListBounds.check(xml(512))
    }

    @Test func `property lists in other formats are refused`() throws {
        let old = Data(String(repeating: "(", count: 100_000).utf8)
        let wide = Data(
            String(decoding: xml(100_000), as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        for data in [old, wide, Data([0xFF, 0xFE]) + wide, Data(), Data("bplist00".utf8)] {
            #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(data) } == notAList)
        }
    }

    /// Returns a list of arrays, each of which contains some of the others.
    private func binary(_ arrays: [[Int]]) -> Data {
        BinaryListWriter.list(arrays.map(BinaryListWriter.array))
    }

    @Test func `binary property lists with deep, cyclic or exponential nesting are refused`() throws {
        let deep = binary((0..<100_000).map { $0 == 99_999 ? [] : [$0 + 1] })
        let swelling = binary((0..<60).map { $0 == 59 ? [] : [$0 + 1, $0 + 1] })
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(deep) } == tooDeep)
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(binary([[1], [0]])) } == tooDeep)
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(binary([[0]])) } == tooDeep)
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(swelling) } == tooLarge)
        #expect(message { _ = try FieldCoders.Plist<[Int]>.decoded(binary([[7]])) } == tooLarge)
        try PropertyListBounds.check(binary((0..<512).map { $0 == 511 ? [] : [$0 + 1] }))
    }

    @Test func `damaged binary property lists do not stop the program`() throws {
        let whole = try #require(
            try FieldCoders.Plist<[String]>.encoded(["a", "bc", String(repeating: "d", count: 300)]))
        for place in whole.indices {
            for byte in [0x00, 0xFF, 0x7F, 0xAF, 0xDF] as [UInt8] {
                var damaged = whole
                damaged[place] = byte
                // The decoder may throw an error, but must not stop the program.
                _ = try? FieldCoders.Plist<[String]>.decoded(damaged)
            }
        }
    }

    private struct Nested: Codable {
        var inner: [Nested]
    }

    @Test func `a value that nests too deeply to be read is not encoded`() throws {
        var value = Nested(inner: [])
        for _ in 0..<300 { value = Nested(inner: [value]) }
        #expect(message { _ = try FieldCoders.Plist<Nested>.encoded(value) } == tooDeep)
        let knot = Knot()
        var last = knot
        for _ in 0..<600 {
            let next = Knot()
            last.next = next
            last = next
        }
        #expect(message { _ = try KeyedArchive.encoded(knot) } == tooDeep)
    }

    @Test func `archives with a valid checksum are refused if too deep or with invalid references`() throws {
        typealias Coder = FieldCoders.DefaultNSSecureCoding<NSArray>
        func reading(_ archive: Data) -> String? { message { _ = try Coder.decoded(KeyedArchive.sealed(archive)) } }
        #expect(reading(BinaryListWriter.archive((0..<20_000).map { $0 == 19_999 ? [] : [$0 + 1] })) == tooDeep)
        #expect(reading(BinaryListWriter.archive([[1], [0]])) == tooDeep)
        #expect(reading(BinaryListWriter.archive([[5]])) == tooLarge)
        #expect(reading(xml(100_000)) == notAList)
        #expect(reading(binary([[]])) == "The bytes are not an archive, or the archive is damaged.")
        let sound = try #require(try Coder.encoded([[1], ["a"]]))
        #expect(try Coder.decoded(sound) == [[1], ["a"]])
    }
}

/// An object that refers to another object.
final class Knot: NSObject, NSCoding {
    var next: Knot?

    override init() {}

    init?(coder: NSCoder) { next = coder.decodeObject(forKey: "next") as? Knot }

    func encode(with coder: NSCoder) { coder.encode(next, forKey: "next") }
}

/// A writer of binary property lists, including lists that no encoder creates.
private enum BinaryListWriter {
    static func number(_ number: Int, _ size: Int) -> Data {
        Data((0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    private static func start(_ kind: UInt8, _ count: Int) -> Data {
        count < 15 ? Data([kind << 4 | UInt8(count)]) : Data([kind << 4 | 15, 0x12]) + number(count, 4)
    }

    static func array(_ references: [Int]) -> Data {
        references.reduce(into: start(0xA, references.count)) { $0 += number($1, 4) }
    }

    static func dictionary(_ members: [(key: Int, value: Int)]) -> Data {
        let references = members.map(\.key) + members.map(\.value)
        return references.reduce(into: start(0xD, members.count)) { $0 += number($1, 4) }
    }

    static func text(_ text: String) -> Data { start(5, text.utf8.count) + Data(text.utf8) }
    static func uid(_ place: Int) -> Data { Data([0x83]) + number(place, 4) }

    /// Returns the list whose root is the first object.
    static func list(_ objects: [Data]) -> Data {
        var (data, offsets) = (Data("bplist00".utf8), Data())
        for object in objects {
            offsets += number(data.count, 4)
            data += object
        }
        let table = data.count
        return data + offsets + Data(count: 6) + [4, 4] + number(objects.count, 8) + number(0, 8) + number(table, 8)
    }

    /// Returns an archive of objects that each refer to some others.
    static func archive(_ objects: [[Int]]) -> Data {
        let first = 8
        var (bodies, places) = ([Data](), [Int]())
        for references in objects {
            places.append(first + bodies.count)
            let list = first + bodies.count + 1
            bodies.append(dictionary([(4, list)]))
            bodies.append(array(references.indices.map { list + 1 + $0 }))
            bodies += references.map(uid)
        }
        return list(
            [
                dictionary([(1, 6), (2, 5)]), text("$objects"), text("$top"), text("root"), text("NS.objects"),
                dictionary([(3, 7)]), array(places), uid(0),
            ] + bodies)
    }
}
