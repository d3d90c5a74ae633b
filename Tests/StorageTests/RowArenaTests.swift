import Foundation
import Testing

@testable import CofferStorage

/// Rows that share allocations.
struct RowArenaTests {
    /// Returns rows of an integer and a text, from one arena.
    private static func rows(_ count: Int, text: (Int) -> String) -> [Row] {
        var arena = RowArena()
        return (0..<count).map { index in
            let text = text(index)
            let builder = RowBuilder(
                entity: 3, key: Int64(index), version: 7, slotCount: 2, tailCapacity: text.utf8.count, in: &arena)
            builder.write(integer: Int64(-index), 0)
            let fits = builder.write(text: text, 1)
            #expect(fits)
            return builder.build()
        }
    }

    private static func expectContent(_ row: Row, _ index: Int, _ text: String) {
        #expect(row.key == Int64(index) && row.version == 7 && row.entity == 3 && row.slotCount == 2)
        #expect(row.integer(0) == Int64(-index))
        #expect(row.text(1) == text)
    }

    private static func memories(_ rows: [Row]) -> Set<ObjectIdentifier> {
        Set(rows.map { ObjectIdentifier($0.memory) })
    }

    @Test func `the first rows have allocations of their own and the next rows share some`() {
        let rows = Self.rows(1_000) { "row \($0)" }
        for (index, row) in rows.enumerated() { Self.expectContent(row, index, "row \(index)") }
        #expect(Self.memories(Array(rows.prefix(16))).count == 16)
        // A row takes 64 or 72 bytes, so 984 rows take four to five allocations of 16 KiB, and three smaller ones.
        #expect((5...9).contains(Self.memories(Array(rows.dropFirst(16))).count))
    }

    @Test func `a large row has its own allocation`() {
        let rows = Self.rows(60) { $0 % 3 == 0 ? String(repeating: "é", count: 5_000) : "small" }
        for (index, row) in rows.enumerated() {
            Self.expectContent(row, index, index % 3 == 0 ? String(repeating: "é", count: 5_000) : "small")
        }
        let large = rows.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(Self.memories(large).count == large.count)
    }

    @Test func `a row stays when its neighbours and its arena were released`() throws {
        var rows = Self.rows(200) { "row \($0)" }
        let row = try #require(rows.last)
        rows = []
        _ = Self.rows(400) { _ in "other" }
        Self.expectContent(row, 199, "row 199")
    }

    @Test func `a row is unique when no row of its allocation is referenced`() throws {
        var rows = Self.rows(100) { "row \($0)" }
        let reference = RowReference(retaining: try #require(rows.last))
        defer { reference.release() }
        #expect(!reference.isUnique)
        rows.removeLast()
        #expect(!reference.isUnique)
        rows = []
        #expect(reference.isUnique)
        let isWritten = reference.edit { $0.write(text: "new", 1) }
        #expect(isWritten)
        Self.expectContent(reference.row, 99, "new")
    }

    @Test func `an arena that was cleared begins with allocations of their own`() {
        var arena = RowArena()
        func make(_ count: Int) -> [Row] {
            (0..<count).map {
                RowBuilder(entity: 0, key: Int64($0), version: 1, slotCount: 1, tailCapacity: 0, in: &arena).build()
            }
        }
        let before = make(40)
        arena.clear()
        let after = make(16)
        #expect(Self.memories(after).count == 16)
        #expect(Self.memories(before).isDisjoint(with: Self.memories(after)))
        #expect(before.map(\.key) == (0..<40).map(Int64.init))
    }

    @Test(arguments: [0, 1, 64, 65, 140])
    func `a row of an arena is null until it is written`(_ slotCount: Int) {
        var arena = RowArena()
        for key in 0..<40 {
            let builder = RowBuilder(
                entity: 0, key: Int64(key), version: 1, slotCount: slotCount, tailCapacity: 0, in: &arena)
            if slotCount > 0 { builder.write(integer: 5, slotCount - 1) }
            let row = builder.build()
            #expect((0..<slotCount).filter { !row.isNull($0) } == (slotCount > 0 ? [slotCount - 1] : []))
            #expect(slotCount == 0 || row.integer(slotCount - 1) == 5)
        }
    }
}
