import CofferStorage
import CofferStorageTools
import Testing

/// The merge of a new row whose unique values other rows have.
struct UniqueConstraintMergeTests {
    private let layout: ModelLayout
    private let row: Row

    private typealias Match = ChangeSet.UniqueMatch

    /// Creates a model of accounts with a unique email and a unique pair of names; admins and guests are accounts.
    init() throws {
        let attributes = ["email", "first", "last"].map {
            AttributeDescription(name: $0, type: .stringAttributeType, isOptional: true)
        }
        layout = try ModelLayout(
            StoreModel(
                version: "V1",
                entities: [
                    EntityDescription(
                        name: "Account", attributes: attributes, uniqueConstraints: [["email"], ["first", "last"]]),
                    EntityDescription(name: "Admin", parent: "Account"),
                    EntityDescription(name: "Guest", parent: "Account"),
                ]))
        row = RowBuilder(entity: 1, key: 100, version: 1, slotCount: 3, tailCapacity: 0).build()
    }

    private func merge(
        _ policies: [UniqueConstraintPolicy], _ matches: Match...
    ) throws(StorageError) -> CommitResult.Merge? {
        var changes = ChangeSet()
        if !policies.isEmpty { changes.uniqueConstraintPolicies = [0: policies] }
        return try changes.merge(of: row, matching: matches, layout)
    }

    @Test func `a row without matching rows is inserted`() throws {
        #expect(try merge([.throwError, .throwError]) == nil)
    }

    @Test func `a constraint without a policy merges rows`() throws {
        let merged = CommitResult.Merge(root: 0, from: 100, into: 7)
        for policies in [[], [.merge], [.throwError, .merge]] as [[UniqueConstraintPolicy]] {
            #expect(try merge(policies, Match(constraint: 1, key: 7, entity: 1)) == merged)
        }
    }

    /// Every pair of policies, for a row that has the values of one other row in both constraints.
    @Test(arguments: UniqueConstraintPolicy.allCases, UniqueConstraintPolicy.allCases)
    func `throwError takes precedence over keepStored, and keepStored over merge`(
        _ first: UniqueConstraintPolicy, _ second: UniqueConstraintPolicy
    ) throws {
        let matches = [Match(constraint: 0, key: 7, entity: 1), Match(constraint: 1, key: 7, entity: 1)]
        let refusing = [first, second].enumerated().filter { $1 == .throwError }.map(\.offset)
        let names = [["email"], ["first", "last"]]
        if refusing.isEmpty {
            let isKept = first == .keepStored || second == .keepStored
            #expect(
                try merge([first, second], matches[0], matches[1])
                    == CommitResult.Merge(root: 0, from: 100, into: 7, isKept: isKept))
        } else {
            let error = #expect(throws: StorageError.self) { try merge([first, second], matches[0], matches[1]) }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.violatedConstraints.map(\.attributes) == refusing.map { names[$0] })
            #expect(error?.violatedConstraints.allSatisfy { $0.entity == "Account" } == true)
        }
    }

    @Test func `a row cannot be merged into two rows`() {
        let error = #expect(throws: StorageError.self) {
            try merge([], Match(constraint: 0, key: 7, entity: 1), Match(constraint: 1, key: 8, entity: 1))
        }
        #expect(
            error?.description
                == "uniqueViolation: 'Account.email' and 'Account' (first, last) must be unique, but another row "
                + "already has this value. Change one of the rows, or merge them.")
    }

    @Test(arguments: [0, 2])
    func `a row cannot be merged into a row of an entity without its attributes`(_ entity: Int) {
        let error = #expect(throws: StorageError.self) {
            try merge([.keepStored], Match(constraint: 0, key: 7, entity: entity))
        }
        #expect(
            error?.description
                == "uniqueViolation: 'Account.email' must be unique, but a row of "
                + "'\(layout.entities[entity].name)', not of 'Admin', already has this value. "
                + "Change one of the rows, or merge them.")
    }

    @Test func `a policy of another entity hierarchy is ignored`() throws {
        var changes = ChangeSet()
        changes.uniqueConstraintPolicies = [1: [.throwError], 0: [.keepStored]]
        let merge = try changes.merge(of: row, matching: [Match(constraint: 0, key: 7, entity: 1)], layout)
        #expect(merge?.isKept == true)
    }
}
