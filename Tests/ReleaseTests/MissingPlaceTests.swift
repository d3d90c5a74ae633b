import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

/// Places that are not in a list; they stop the program, which first prints the reason.
@MainActor
struct MissingPlaceTests {
    private final class Stop: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    private static func monitor() throws -> (ListMonitor<Stop>, ListSnapshot<Stop>) {
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Stop>("Stop")]))
        try stack.addStorageAndWait(InMemoryStore())
        try stack.perform(synchronous: { transaction in
            for name in ["Abbey", "Bridge"] { transaction.create(Into<Stop>()).name = name }
        })
        let order = OrderBy<Stop>(.ascending(\.$name))
        return (
            stack.monitorList(From<Stop>(), order), stack.publishList(From<Stop>(), order).snapshot
        )
    }

    private func expectAbort(_ text: String, _ result: ExitTest.Result?) {
        let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(printed.contains(text), "\(printed)")
    }

    @Test func `accessing a missing object or section of a list monitor stops the program with a reason`() async {
        let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = try Self.monitor().0[2] }
        }
        expectAbort("There is no object at index 2 among 2 objects. Use 'safeIndex'.", index)
        let item = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = try Self.monitor().0[0, 2] }
        }
        expectAbort("There is no object at [0, 2]. Use 'safeSectionIndex'.", item)
        let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = try Self.monitor().0.numberOfObjects(in: 1) }
        }
        expectAbort("There is no section 1 among 1 sections. Use 'safelyIn'.", section)
    }

    @Test func `accessing a missing item or section of a list snapshot stops the program with a reason`() async {
        for (index, isEdited) in [(2, false), (-1, false), (2, true), (-1, true)] {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [index = index as Int, isEdited = isEdited as Bool] in
                try await MainActor.run {
                    var snapshot = try Self.monitor().1
                    if isEdited { snapshot.appendSections(withIDs: ["Z"]) }
                    _ = snapshot[index]
                }
            }
            expectAbort("There is no item at index \(index) among 2 items. Use 'safeIndex'.", result)
        }
        let item = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = try Self.monitor().1[0, 2] }
        }
        expectAbort("There is no item at [0, 2]. Use 'safeSectionIndex'.", item)
        let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = try Self.monitor().1[1, 0] }
        }
        expectAbort("There is no section 1 among 1 sections. See 'numberOfSections'.", section)
    }
}
