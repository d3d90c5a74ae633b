import Testing

@testable import CofferTransactions

/// The search for unused batches: how often it runs, and which batches stay known.
struct ObjectBatchesTests {
    @Test(arguments: [1_000, 100_000])
    func `the search for unused batches visits only a few objects for each object of a batch`(_ objectCount: Int) {
        var batches = ObjectBatches()
        var visits = 0
        let used = batches.nextNumber()
        batches.add([1, 2], used, objectCount: objectCount) { _ in }
        for _ in 0..<20_000 {
            let number = batches.nextNumber()
            batches.add(Array(0..<10), number, objectCount: objectCount) { body in
                visits += objectCount
                for _ in 0..<objectCount / 2 { body(used) }
                for _ in 0..<objectCount / 2 { body(number) }
            }
        }
        #expect(visits <= 20_000 * 10)
        #expect(batches.keys(used) == [1, 2])
    }

    @Test func `unused batches are discarded`() {
        var batches = ObjectBatches()
        var numbers: [UInt32] = []
        for _ in 0..<1_000 {
            let number = batches.nextNumber()
            numbers.append(number)
            batches.add(Array(0..<10), number, objectCount: 100) { body in
                for _ in 0..<100 { body(number) }
            }
        }
        #expect(numbers.count { batches.keys($0) != nil } <= 64)
    }
}
