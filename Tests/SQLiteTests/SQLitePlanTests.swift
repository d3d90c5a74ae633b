import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// Every shape of request does about as much work as hand-written SQL, counted in steps of SQLite's virtual machine.
@Suite(.serialized) struct SQLitePlanTests {
    private let model: PlanModel
    private let directory: URL
    private let store: SQLiteStore
    private let queries: SQLQueries

    init() throws {
        model = try PlanModel()
        directory = try TemporaryDirectory.make()
        store = SQLiteStore(fileURL: directory.appending(path: "music.sqlite"))
        _ = try store.open(model.layout)
        queries = SQLQueries(SQLSchema(model.layout), SQLiteDialect())
    }

    @Test(arguments: [false, true]) func `requests take as much work as hand-written SQL`(hasStatistics: Bool) throws {
        defer {
            store.close()
            try? FileManager.default.removeItem(at: directory)
        }
        let file = try PlainFile(directory.appending(path: "music.sqlite"))
        for statement in PlanModel.content { try file.execute(statement) }
        if hasStatistics { try file.execute("ANALYZE") }
        for shape in PlanShape.all(model) {
            let byHand = try file.run(SQLStatement(shape.byHand))
            let run = try run(shape, file)
            #expect(run.keys.sorted() == byHand.keys.sorted(), "\(shape)")
            #expect(try answer(shape).sorted() == byHand.keys.sorted(), "\(shape)")
            #expect(
                run.steps <= byHand.steps * 3 / 2 + 8_000,
                "\(shape): \(run.steps) steps, with hand-written SQL \(byHand.steps)\n\(run.plan)")
            #expect(shape.mayScan || run.scanned <= 1_000, "\(shape) scans \(run.scanned) rows\n\(run.plan)")
        }
    }

    /// Runs the statements of a shape, as the reader does.
    private func run(_ shape: PlanShape, _ file: PlainFile) throws -> PlainFile.Run {
        func plan(_ request: RowRequest, isSorted: Bool = true) throws -> (SQLRangePlan, Int) {
            guard let probe = queries.probe(request, isSorted: isSorted) else { return (.database, 0) }
            let run = try file.run(probe.statement)
            return (probe.plan(for: Int(run.keys[0]) ?? 0), run.steps)
        }
        let (statement, probed): (SQLStatement, Int)
        switch shape.request {
        case .rows(let request):
            let (plan, steps) = try plan(request)
            (statement, probed) = (try queries.unorderedRows(request) ?? queries.keys(request, plan), steps)
        case .count(let request):
            let (plan, steps) = try plan(request, isSorted: false)
            (statement, probed) = (try queries.count(request, plan), steps)
        case .values(let request):
            let (plan, steps) = try plan(request.rows, isSorted: !request.isGrouped && !request.isDistinct)
            (statement, probed) = (try queries.values(request, plan), steps)
        }
        var run = try file.run(statement)
        run.steps += probed
        return run
    }

    /// Returns the first column of the store's answer.
    private func answer(_ shape: PlanShape) throws -> [String] {
        try store.read { reader throws(StorageError) in
            switch shape.request {
            case .rows(let request): try reader.rows(request).map { "\($0.key)" }
            case .count(let request): ["\(try reader.count(request))"]
            case .values(let request): try reader.values(request).map { $0[0].plainText }
            }
        }
    }
}

extension Value {
    fileprivate var plainText: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: "NULL"
        }
    }
}

/// A connection beside the store, with SQLite's counters.
private final class PlainFile {
    struct Run {
        /// The first column of the result.
        var keys: [String] = []
        var steps = 0
        /// The number of rows in scans of whole tables.
        var scanned = 0
        var plan = ""
    }

    private struct Failure: Error { let message: String }

    private var handle: OpaquePointer?

    init(_ file: URL) throws {
        guard sqlite3_open_v2(file.path(), &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw Failure(message: "The file cannot be opened.")
        }
        // SQLite itself has no rules for Unicode. The content has only ASCII.
        let folding: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
            context, _, arguments in
            func text(_ index: Int) -> String {
                sqlite3_value_text(arguments?[index]).map { String(cString: $0) } ?? ""
            }
            sqlite3_result_int(context, text(0).lowercased() == text(1).lowercased() ? 1 : 0)
        }
        sqlite3_create_function_v2(
            handle, SQLiteFunctions.name(of: .equal), 3, SQLITE_UTF8, nil, folding, nil, nil, nil)
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ statement: String) throws {
        guard sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private func prepare(_ text: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))): \(text.prefix(2_000))")
        }
        return statement
    }

    func run(_ query: SQLStatement) throws -> Run {
        var run = Run()
        let explanation = try prepare("EXPLAIN QUERY PLAN " + query.text)
        while sqlite3_step(explanation) == SQLITE_ROW { run.plan += Self.text(explanation, 3) + "\n" }
        sqlite3_finalize(explanation)
        run.plan += "\(query.text.prefix(1_000))"
        let statement = try prepare(query.text)
        defer { sqlite3_finalize(statement) }
        for (index, value) in query.bindings.enumerated() {
            switch value {
            case .integer(let number): sqlite3_bind_int64(statement, Int32(index + 1), number)
            case .text(let text):
                _ = text.withCString { bytes in
                    sqlite3_bind_text(
                        statement, Int32(index + 1), bytes, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            default: break
            }
        }
        while sqlite3_step(statement) == SQLITE_ROW { run.keys.append(Self.text(statement, 0)) }
        run.steps = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))
        run.scanned = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
        return run
    }

    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
    }
}
