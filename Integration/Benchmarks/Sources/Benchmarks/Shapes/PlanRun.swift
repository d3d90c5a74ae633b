import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Foundation

/// Measures each shape of requests of `PlanShape` beside its hand-written statement.
///
/// Both sides read the keys of the same rows from the same database, each in a transaction that has begun.
struct PlanRun {
    static let command = "plans"

    /// The number of rounds of each side; the shortest round counts.
    private static let rounds = 15

    private let model: PlanModel
    private let shapes: [PlanShape]
    private let directory: URL

    /// Chooses the shapes whose names contain one of the arguments; without arguments, all shapes.
    init(_ arguments: [String]) throws {
        model = try PlanModel()
        shapes = PlanShape.all(model).filter { shape in
            arguments.isEmpty || arguments.contains { shape.description.contains($0) }
        }
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-plans-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func run() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("music.sqlite")
        let store = SQLiteStore(fileURL: file)
        _ = try store.open(model.layout)
        let raw = try RawDatabase(path: file.path)
        for statement in PlanModel.content { try raw.execute(statement) }
        try raw.execute("ANALYZE; BEGIN")
        var columns = [
            try figures("SQLite", store, target: 1.5) { shape in
                let statement = try raw.prepare(shape.byHand)
                return {
                    var keys: [Int] = []
                    try statement.forEachRow { keys.append($0.integer(0)) }
                    return keys.count
                }
            },
            try figures("in memory", filledMemory(from: store), target: nil, byHand: nil),
        ]
        store.close()
        if PostgreSQLServer.url != nil { columns.append(try onServer()) }
        show(columns)
    }

    private func onServer() throws -> Column {
        let schema = PostgreSQLServer.schema(of: "plans", in: directory)
        let store = try PostgreSQLStore(url: PostgreSQLServer.connectionURL(), schema: schema)
        try store.erase()
        defer { try? store.erase() }
        _ = try store.open(model.layout)
        let connection = try LibPQConnection(url: PostgreSQLServer.connectionURL())
        try connection.execute("SET search_path TO \"\(schema)\"")
        for statement in PlanModel.content { try connection.execute(statement) }
        for entity in model.layout.entities { try connection.execute("ANALYZE \"\(entity.name)\"") }
        try connection.execute("ANALYZE \"coffer_link_Tag_tracks\"; BEGIN")
        defer { store.close() }
        return try figures("PostgreSQL", store, target: 2) { shape in
            // The plus sign prevents the use of an index on SQLite. PostgreSQL does not accept it before a string.
            let statement = try connection.prepare(shape.byHand.replacingOccurrences(of: "+t.name", with: "t.name"))
            return {
                let rows = try statement.run()
                return (0..<rows.rowCount).map { rows.size($0, 0) }.count
            }
        }
    }

    /// Returns a store in memory with the content of another store.
    private func filledMemory(from store: SQLiteStore) throws -> InMemoryStore {
        let copy = InMemoryStore()
        let layout = model.layout
        try store.read { reader throws(StorageError) in
            try copy.load(layout, as: UUID()) { loader throws(StorageError) in
                for entity in layout.entities.indices { try loader.add(reader.rows(RowRequest(entity: entity))) }
                guard let links = reader as? any LinkReader else { return }
                for table in layout.linkTables.indices {
                    try loader.add(links.links(table, after: nil, limit: .max))
                }
            } verifying: { _ in
            }
        }
        _ = try copy.open(layout)
        return copy
    }

    // MARK: - Figures

    /// The seconds of each shape on one store.
    private struct Column {
        let name: String
        let target: Double?
        let seconds: [(coffer: Double, byHand: Double?)]
    }

    private func figures(
        _ name: String, _ store: any StorageInterface, target: Double?,
        byHand prepare: ((PlanShape) throws -> () throws -> Int)?
    ) throws -> Column {
        let reader = try store.makeReader()
        defer { reader.finish() }
        var seconds: [(coffer: Double, byHand: Double?)] = []
        for shape in shapes {
            Progress.show("\(name): \(shape)")
            let byHand = try prepare?(shape)
            var (own, other) = (Double.infinity, Double.infinity)
            for _ in 1...Self.rounds {
                let answer = try time(&own) { try count(shape.request, reader) }
                guard let byHand else { continue }
                let expected = try time(&other, byHand)
                guard answer == expected else {
                    throw BenchmarkError("\(shape) on \(name): \(answer) rows, but \(expected) with hand-written SQL.")
                }
            }
            seconds.append((own, byHand == nil ? nil : other))
        }
        return Column(name: name, target: target, seconds: seconds)
    }

    private func time(_ shortest: inout Double, _ body: () throws -> Int) rethrows -> Int {
        let start = ContinuousClock.now
        let result = try body()
        shortest = min(shortest, (ContinuousClock.now - start) / .seconds(1))
        return result
    }

    /// Returns the number of rows in the result of a request.
    private func count(_ request: PlanShape.Request, _ reader: any StorageReader) throws -> Int {
        switch request {
        case .rows(let request): return try reader.keys(request).count
        case .count(let request):
            _ = try reader.count(request)
            return 1
        case .values(let request): return try reader.values(request).count
        }
    }

    private func show(_ columns: [Column]) {
        Progress.clear()
        let headings = columns.flatMap { $0.target == nil ? [$0.name] : [$0.name, "by hand", "ratio"] }
        var table = Table(heading: ["milliseconds"] + headings)
        for (index, shape) in shapes.enumerated() {
            table.add(
                [shape.description]
                    + columns.flatMap { column -> [String] in
                        let (coffer, byHand) = column.seconds[index]
                        guard let byHand else { return [milliseconds(coffer)] }
                        return [milliseconds(coffer), milliseconds(byHand), String(format: "%.2f", coffer / byHand)]
                    })
        }
        print(table.text)
        for column in columns {
            guard let target = column.target else { continue }
            let met = column.seconds.filter { $0.coffer <= ($0.byHand ?? 0) * target }.count
            print("\(column.name): \(met) of \(shapes.count) within \(target) × the time of hand-written SQL")
        }
    }

    private func milliseconds(_ seconds: Double) -> String { String(format: "%.3f", seconds * 1_000) }
}
