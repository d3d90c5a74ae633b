import ArgumentParser
import CofferClauses
import CofferConfiguration
import CofferPostgreSQL
import CofferSQL
import CofferSQLite
import CofferStorage
import CofferStorageTools
import Foundation

/// Runs `coffer sql URL ENTITY CONDITION`, which prints the SQL statements of a condition.
struct SQL: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the SQL statements of a request on SQLite and on PostgreSQL.",
        discussion: "The command reads only the model of the store.")

    @Argument(help: "The URL of a store.")
    var url: String

    @Argument(help: "The entity of the requested objects.")
    var entity: String

    @Argument(help: "The condition, in the language of NSPredicate. The default is all objects.")
    var condition: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let configuration = try StoreURL.configuration(url)
        let metadata = try StoreURL.metadata(of: configuration.makeStorage(), at: configuration.url)
        let layout = try ModelLayout(metadata.model)
        let request = try request(layout, metadata)
        let backends: [any SQLStorage.Type] = [SQLiteStore.self, PostgreSQLStore.self]
        let reports = try backends.map { Report($0.storeType, try $0.explanation(of: request, in: layout)) }
        if json { return try JSONOutput.write(reports) }
        for (index, report) in reports.enumerated() {
            if index > 0 { print("") }
            report.draw()
        }
    }

    private func request(_ layout: ModelLayout, _ metadata: StoreMetadata) throws -> RowRequest {
        guard let found = layout.entity(named: entity) else {
            let names = layout.entities.map { "'\($0.name)'" }.joined(separator: ", ")
            throw Failure(message: "The store has no entity '\(entity)'. Its entities are \(names).")
        }
        var request = RowRequest(entity: found.index)
        guard let condition else { return request }
        let roots = layout.entities.filter { $0.root == $0.index }
        let resolver = RequestResolver(
            layout: layout,
            keySpaces: Dictionary(
                uniqueKeysWithValues: roots.map {
                    ($0.index, KeySpace(store: metadata.store, entityName: $0.name))
                }))
        request.predicate = try resolver.resolve(
            QueryPredicate(format: condition, argumentArray: nil), entity: found.index)
        return request
    }
}

extension SQL {
    /// The SQL of a request on one backend.
    struct Report: Encodable {
        let backend: String
        let sql: String
        let values: [String]
        let evaluated: String?
        let mayBeEvaluated: Bool

        init(_ backend: String, _ explanation: SQLExplanation) {
            self.backend = backend
            sql = explanation.statement.text
            values = explanation.statement.bindings.map(Self.shown)
            evaluated = explanation.evaluated
            mayBeEvaluated = explanation.mayBeEvaluated
        }

        func draw() {
            print(Terminal.bold(backend))
            print("  " + Terminal.printable(sql))
            for (index, value) in values.enumerated() { print("  value \(index + 1): \(Terminal.printable(value))") }
            if let evaluated {
                print("  The condition is evaluated in memory for these rows. SQL cannot express \(evaluated).")
            } else if mayBeEvaluated {
                print("  The condition is evaluated in memory if the database cannot compute with the stored numbers.")
            }
        }

        /// Returns a string between quotation marks.
        ///
        /// Quotation marks in the string are doubled as Unicode scalars, because the database reads scalars.
        private static func quoted(_ text: String) -> String {
            "'" + String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "'" ? ["'", "'"] : [$0] })) + "'"
        }

        private static func shown(_ value: Value) -> String {
            switch value {
            case .null: "null"
            case .boolean(let flag): "\(flag)"
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            case .decimal(let number): "\(number)"
            case .text(let text): quoted(text)
            case .blob(let data):
                data.count > 32 ? "\(data.count) bytes" : data.map { String(format: "%02x", $0) }.joined()
            case .date(let seconds): date(seconds)
            case .object(let id): "\(id)"
            }
        }

        /// Returns a date as a string.
        ///
        /// Foundation cannot format dates that are thousands of years away.
        private static func date(_ seconds: Double) -> String {
            let (first, last) = (Date.distantPast, Date.distantFuture)
            let hasWords =
                seconds >= first.timeIntervalSinceReferenceDate && seconds <= last.timeIntervalSinceReferenceDate
            return hasWords
                ? Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format() : "\(seconds) s since 2001"
        }
    }
}
