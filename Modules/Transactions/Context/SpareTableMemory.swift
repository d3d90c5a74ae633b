import CofferStorage
import Foundation

/// Keeps the memory of a large identity table that is no longer used, for the next large table of the same store.
///
/// Each transaction has tables of its own. Without this memory, a table moves its objects to new memory each time it
/// doubles, and the C library can return the memory of all sizes to the system when the transaction ends. The next
/// transaction then has a page fault for each page.
// Sendable: the lock hands the memory to one table at a time.
final class SpareTableMemory: @unchecked Sendable {
    /// Entries that are all empty.
    struct Memory {
        let entries: UnsafeMutablePointer<IdentityTable.Entry>
        let capacity: Int
    }

    /// The capacities that are kept: 128 KiB to 1 MiB.
    private static let keptCapacities = 8_192...65_536
    /// The smallest capacity for which a table may take the memory.
    ///
    /// Visiting all entries of the memory would take long in comparison with the few objects of a smaller table.
    private static let leastCapacity = 4_096

    private let spare: Locked<Memory?> = Locked(nil)

    deinit {
        if let memory = spare.withLock({ $0 }) { free(memory.entries) }
    }

    static func isKept(_ capacity: Int) -> Bool { keptCapacities.contains(capacity) }

    /// Returns memory with at least some number of entries, which then belongs to the caller.
    func take(_ capacity: Int) -> Memory? {
        guard capacity >= Self.leastCapacity else { return nil }
        return spare.withLock { spare in
            guard let memory = spare, memory.capacity >= capacity else { return nil }
            spare = nil
            return memory
        }
    }

    /// Keeps memory that belongs to the caller, or frees it if there is larger memory already.
    func keep(_ memory: Memory) {
        let smaller = spare.withLock { spare -> Memory? in
            guard let known = spare else {
                spare = memory
                return nil
            }
            guard known.capacity < memory.capacity else { return memory }
            spare = memory
            return known
        }
        if let smaller { free(smaller.entries) }
    }
}
