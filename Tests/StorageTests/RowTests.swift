import CofferStorage
import Foundation
import TestSupport
import Testing

/// Rows, compared with arrays of values.
struct RowTests {
    /// Every kind, for more slots than a word of null bits has bits.
    private static let kinds = (0..<130).map { ColumnKind.allCases[$0 % ColumnKind.allCases.count] }

    private static func value(_ kind: ColumnKind, _ random: inout SeededGenerator) -> Value {
        if random.chance(20) { return .null }
        return switch kind {
        case .integer, .reference: .integer([0, 1, -1, .min, .max][random.below(5)])
        case .double: .double([0.1, -1e300, .infinity, .leastNonzeroMagnitude][random.below(4)])
        case .decimal: .decimal([Decimal(string: "-0.1"), .greatestFiniteMagnitude, 7][random.below(3)] ?? 0)
        case .boolean: .boolean(random.chance(50))
        case .date: .date([0, 785_000_000.123_456_7, -.infinity][random.below(3)])
        case .text: .text(["", "a", "é", "e\u{301}", "a\0b", "👩‍👩‍👧"][random.below(6)])
        case .blob: .blob(Data((0..<random.below(9)).map { UInt8($0 * 31) }))
        }
    }

    private static func values(_ random: inout SeededGenerator) -> [Value] { kinds.map { value($0, &random) } }

    private static func row(_ values: [Value], key: Int64 = 1) throws -> Row {
        try #require(Row.make(entity: 3, key: key, version: 5, values: values, kinds: kinds))
    }

    private static func values(_ row: Row) -> [Value] { kinds.indices.map { row.value($0, kinds[$0]) } }

    @Test func `a row has the values that it was created with`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let values = Self.values(&random)
            let row = try Self.row(values, key: .min)
            #expect(Self.values(row) == values)
            #expect(values.indices.allSatisfy { row.isNull($0) == values[$0].isNull })
            #expect(row.key == .min && row.version == 5 && row.entity == 3 && row.slotCount == 130)
        }
    }

    @Test func `a copy is independent of the row that it was copied from`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            let (before, after) = (Self.values(&random), Self.values(&random))
            let row = try Self.row(before)
            let copy = RowBuilder(copying: row, room: after.reduce(0) { $0 + $1.tailSize })
            let moved = RowBuilder(copying: row, key: 9, tailCapacity: 0).build()
            let fits = Self.kinds.indices.allSatisfy { copy.write(after[$0], $0, Self.kinds[$0]) }
            #expect(fits)
            #expect(Self.values(copy.build()) == after)
            #expect(Self.values(row) == before)
            #expect(Self.values(moved) == before && moved.key == 9 && moved.version == 5 && moved.entity == 3)
        }
    }

    @Test func `slots can be copied from another row and compared with another row`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let (mine, others) = (Self.values(&random), Self.values(&random))
            let other = try Self.row(others)
            let row = try Self.row(mine)
            let copy = RowBuilder(copying: row, room: others.reduce(0) { $0 + $1.tailSize })
            for (slot, kind) in Self.kinds.enumerated() {
                #expect(row.hasSameValue(slot, kind, as: other) == (mine[slot] == others[slot]))
            }
            var expected = mine
            for (slot, kind) in Self.kinds.enumerated() where random.chance(50) {
                let fits = copy.copy(slot, kind, from: other)
                #expect(fits)
                expected[slot] = others[slot]
            }
            #expect(Self.values(copy.build()) == expected)
        }
    }

    @Test func `a value of the wrong kind is refused`() {
        let fitting: [ColumnKind: [Value]] = [
            .integer: [.integer(1)], .double: [.double(1), .integer(1)], .decimal: [.decimal(1)],
            .boolean: [.boolean(true)], .date: [.date(1)], .text: [.text("a")], .blob: [.blob(Data([1]))],
            .reference: [.integer(1)],
        ]
        let all: [Value] = [
            .integer(1), .double(1), .decimal(1), .boolean(true), .date(1), .text("a"), .blob(Data([1])),
        ]
        for kind in ColumnKind.allCases {
            for value in all {
                let row = Row.make(entity: 0, key: 1, version: 1, values: [value], kinds: [kind])
                #expect((row != nil) == fitting[kind]?.contains(value), "\(value) in \(kind)")
            }
            let null = Row.make(entity: 0, key: 1, version: 1, values: [.null], kinds: [kind])
            #expect(null?.isNull(0) == true)
        }
    }

    @Test func `an object is stored as its key`() throws {
        let id = ObjectID(space: KeySpace(store: UUID(), entityName: "Dog"), key: 42)
        let row = try #require(
            Row.make(entity: 0, key: 1, version: 1, values: [.object(id)], kinds: [.reference]))
        #expect(row.integer(0) == 42)
        #expect(row.value(0, .reference) == .integer(42))
        #expect(row.value(0, .reference) { .object(ObjectID(space: id.space, key: $0)) } == .object(id))
    }

    @Test func `negative zero is stored as zero`() throws {
        let row = try #require(
            Row.make(entity: 0, key: 1, version: 1, values: [.double(-0.0), .date(-0.0)], kinds: [.double, .date]))
        #expect(row.double(0).sign == .plus && row.double(1).sign == .plus)
    }

    @Test func `a row does not hold a slot that is null or does not exist`() throws {
        let row = try #require(
            Row.make(entity: 0, key: 1, version: 1, values: [.integer(1), .null], kinds: [.integer, .integer]))
        #expect([0, 1, 2, 99].map(row.holds) == [true, false, false, false])
    }

    @Test func `a number in the slot of a string is detected`() throws {
        let row = try #require(Row.make(entity: 0, key: 1, version: 1, values: [.text("abc")], kinds: [.text]))
        #expect(row.isTailSlotSound(0))
        let wrong = RowBuilder(copying: row)
        wrong.write(integer: .max, 0)
        #expect(!wrong.build().isTailSlotSound(0))
    }
}
