import CofferRecords
import CofferStorage
import Foundation

/// Imports records in batches: creates and updates rows, and describes at most 100 refused records.
struct RowImport {
    /// The counts of an import.
    struct Report: Encodable {
        var records = 0
        var created = 0
        var updated = 0
        var refused = 0
        /// The first refused records.
        var refusals: [String] = []

        static let limit = 100

        mutating func refuse(_ record: RefusedRecord) {
            refused += 1
            if refusals.count < Self.limit { refusals.append(record.description) }
        }
    }

    private let store: any StorageInterface
    private let layout: ModelLayout
    private let finder: RowFinder
    private let fields: EntityFields
    private let unique: EntityFields.Field?
    private(set) var saved = Report()

    /// The number of records that are looked up together.
    private static let pageSize = 5_000

    init(_ opened: OpenedStore, _ fields: EntityFields, uniqueBy key: String?) throws {
        store = opened.store
        layout = opened.layout
        finder = RowFinder(opened.layout, opened.metadata)
        self.fields = fields
        unique = try key.map { key in
            guard let field = fields.fields.first(where: { $0.record.name == key && $0.reference == nil }) else {
                throw Failure(message: "'\(fields.entity.name)' has no attribute '\(key)'.")
            }
            return field
        }
    }

    /// Returns the end of an error message, with the counts of the batches that were saved.
    func savedText(after error: any Error) -> String {
        let earlier =
            saved.records == 0
            ? "" : " Earlier batches were saved: \(saved.created) rows created, \(saved.updated) updated."
        if (error as? StorageError)?.code == .unknownOutcome {
            return earlier + " The outcome of the last commit is unknown. Read the rows before you repeat the import."
        }
        return earlier.isEmpty ? " Nothing was saved." : earlier
    }

    /// Imports a file.
    ///
    /// - Parameter batchSize: the number of records that each commit saves; nil for one commit.
    mutating func run(
        _ file: RecordFile, batchSize: Int?, keepsOthers: Bool, ignoresUnknownKeys: Bool
    ) throws -> Report {
        var reader = try RecordReader(
            file, fields: fields.fields.map(\.record), ignoresUnknownKeys: ignoresUnknownKeys)
        var report = Report()
        var draft = RowDraft(store, layout, fields, unique)
        var isAtEnd = false
        while !isAtEnd {
            var page: [RowDraft.Record] = []
            let size = min(Self.pageSize, batchSize.map { $0 - draft.recordCount } ?? Self.pageSize)
            while page.count < size {
                guard let record = try reader.next() else {
                    isAtEnd = true
                    break
                }
                report.records += 1
                switch record.content {
                case .success(let content):
                    page.append(.init(line: record.line, number: record.number, values: content.values))
                case .failure(let refused): report.refuse(refused)
                }
            }
            for refused in try draft.add(page, finder) { report.refuse(refused) }
            let isComplete = isAtEnd || batchSize.map { draft.recordCount >= $0 } ?? false
            guard isComplete else { continue }
            guard keepsOthers || report.refused == 0 else {
                // The records after the batch are not read any more.
                (report.created, report.updated) = (saved.created, saved.updated)
                return report
            }
            let outcome = try draft.commit()
            report.created += outcome.created
            report.updated += outcome.updated
            saved = report
            draft = RowDraft(store, layout, fields, unique)
        }
        return report
    }
}
