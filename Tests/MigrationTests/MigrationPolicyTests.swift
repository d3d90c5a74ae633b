import Coffer
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The options of a file with data of another model, for both forms of adding the file.
@MainActor
struct MigrationPolicyTests {
    /// What happens to the file.
    enum Outcome: Equatable {
        case migrated, recreated
        case refused(CoreStoreErrorCode)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let options: LocalStorageOptions
        let history: [String]
        let isHeavy: Bool
        let atOnce: Outcome
        let inBackground: Outcome

        init(
            _ options: LocalStorageOptions, _ history: [String], isHeavy: Bool = false, atOnce: Outcome,
            inBackground: Outcome
        ) {
            (self.options, self.history, self.isHeavy) = (options, history, isHeavy)
            (self.atOnce, self.inBackground) = (atOnce, inBackground)
        }

        var testDescription: String { "\(options), \(history)\(isHeavy ? " with a transformation" : "")" }
    }

    nonisolated static let cases: [Case] = [
        Case(.none, ["V1", "V2"], atOnce: .refused(.internalError), inBackground: .migrated),
        Case(.recreateStoreOnModelMismatch, ["V1", "V2"], atOnce: .recreated, inBackground: .migrated),
        Case(.allowSynchronousLightweightMigration, ["V1", "V2"], atOnce: .migrated, inBackground: .migrated),
        Case(
            [.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch], ["V1", "V2"], atOnce: .migrated,
            inBackground: .migrated),
        Case(
            [.allowSynchronousLightweightMigration, .preventProgressiveMigration], ["V1", "V2", "V3"],
            atOnce: .refused(.asynchronousMigrationRequired), inBackground: .refused(.progressiveMigrationRequired)),
        Case(
            [
                .allowSynchronousLightweightMigration, .preventProgressiveMigration, .recreateStoreOnModelMismatch,
            ], ["V1", "V2", "V3"], atOnce: .recreated, inBackground: .recreated),
        Case(
            .allowSynchronousLightweightMigration, ["V1", "V2"], isHeavy: true,
            atOnce: .refused(.asynchronousMigrationRequired), inBackground: .migrated),
        Case(
            [.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch], ["V1", "V2"], isHeavy: true,
            atOnce: .recreated, inBackground: .migrated),
        Case(.none, ["V3"], atOnce: .refused(.internalError), inBackground: .refused(.mappingModelNotFound)),
        Case(.recreateStoreOnModelMismatch, ["V3"], atOnce: .recreated, inBackground: .recreated),
    ]

    @Test(.pins("STO-24", "MIG-14"), arguments: cases)
    func `the options decide whether a file of another model is migrated, recreated or refused`(
        _ item: Case
    ) async throws {
        #expect(try await outcome(item, isAtOnce: true) == item.atOnce)
        #expect(try await outcome(item, isAtOnce: false) == item.inBackground)
    }

    private func outcome(_ item: Case, isAtOnce: Bool) async throws -> Outcome {
        let heavy = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Person", destinationEntity: "Person",
                    transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation)
            ])
        let place = try Place(.sqlite, item.isHeavy ? [heavy] : [])
        try place.fill(V1.schema) { V1.fill($0) }
        let schemas = [V1.schema, V2.schema, V3.schema].filter { item.history.contains($0.modelVersion) }
        let stack = DataStack(
            schemaHistory: SchemaHistory(allSchema: schemas, migrationChain: MigrationChain(item.history)))
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let store = place.sqlite(item.options)
        do {
            if isAtOnce {
                try stack.addStorageAndWait(store)
            } else {
                let _: SQLiteStore = try await stack.async.addStorage(store)
            }
        } catch {
            #expect(try place.sqlite().inspect()?.model.version == "V1")
            let code = (error as? CoreStoreError).flatMap { CoreStoreErrorCode(rawValue: $0.errorCode) }
            return .refused(try #require(code))
        }
        let isLast = item.history.last == "V3"
        let count = try isLast ? stack.fetchCount(From<V3.Person>()) : stack.fetchCount(From<V2.Person>())
        return count == 0 ? .recreated : .migrated
    }
}
