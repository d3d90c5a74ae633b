import Foundation
import Testing

@testable import CofferTransactions

/// The memory of a large identity table, for the next large table.
struct SpareTableMemoryTests {
    private let spare = SpareTableMemory()

    private func memory(_ capacity: Int) throws -> SpareTableMemory.Memory {
        let memory = try #require(calloc(capacity, MemoryLayout<IdentityTable.Entry>.stride))
        return .init(entries: memory.bindMemory(to: IdentityTable.Entry.self, capacity: capacity), capacity: capacity)
    }

    /// Takes and frees memory, and returns its capacity; nil if there is none.
    private func capacity(_ wanted: Int) -> Int? {
        let memory = spare.take(wanted)
        free(memory?.entries)
        return memory?.capacity
    }

    @Test func `memory is taken once, by a table that it is large enough for`() throws {
        #expect(capacity(4_096) == nil)
        let kept = try memory(16_384)
        spare.keep(kept)
        #expect(capacity(32_768) == nil)
        let taken = try #require(spare.take(16_384))
        #expect(taken.entries == kept.entries)
        #expect(taken.capacity == 16_384)
        #expect(capacity(16_384) == nil)
        free(taken.entries)
    }

    @Test func `a small table takes no memory`() throws {
        spare.keep(try memory(8_192))
        #expect(capacity(2_048) == nil)
        #expect(capacity(4_096) == 8_192)
    }

    @Test(arguments: [[8_192, 32_768], [32_768, 8_192], [32_768, 32_768]])
    func `the larger of two memories is kept`(_ capacities: [Int]) throws {
        for capacity in capacities { spare.keep(try memory(capacity)) }
        #expect(capacity(4_096) == 32_768)
        #expect(capacity(4_096) == nil)
    }

    @Test func `small and very large memory is not kept`() {
        #expect([16, 4_096, 8_192, 65_536, 131_072].filter(SpareTableMemory.isKept) == [8_192, 65_536])
    }
}
