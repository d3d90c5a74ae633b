import Coffer
import CofferInMemory
import Foundation

// snippet: cities-class
final class City: CoreStoreObject {
    @Field.Stored("code") var code: String = ""
    @Field.Stored("name") var name: String = ""
    @Field.Stored("population") var population: Int?
}
// end

// snippet: visits-class
final class Visit: CoreStoreObject, ImportableUniqueObject {
    struct ImportSource: Decodable {
        var id: Int
        var city: String
        var guests: Int?
    }

    @Field.Stored("number") var number: Int = 0
    @Field.Stored("city") var city: String = ""
    @Field.Stored("guests") var guests: Int = 1

    static var uniqueIDKeyPath: String { "number" }

    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> Int? { source.id }

    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        city = source.city
        guests = source.guests ?? 1
    }
}
// end

private let citySchema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [Entity<City>("City", indexes: [[\.$code]]), Entity<Visit>("Visit", indexes: [[\.$number]])])

/// Runs the body with a file that contains the text.
@MainActor
private func withFile(_ name: String, _ text: String, _ body: @MainActor (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
}

@MainActor
func importingFile(_ kennel: DataStack) async throws {
    let stack = DataStack(citySchema)
    try stack.addStorageAndWait(InMemoryStore())
    try await withFile("cities.csv", "code,name,population\nB,Berlin,3782202\nU,\"Ulm, \"\"Donau\"\"\",\n") { url in
        // snippet: cities-import
        let report = try await stack.async.importRecords(Into<City>(), from: RecordFile(url), uniqueBy: "code")
        print(report)
        for city in try stack.fetchAll(From<City>().orderBy(.ascending(\.$name))) {
            print(city.name, city.population.map(String.init) ?? "unknown")
        }
        // end
    }
}

private let visits = """
    {"id": 1, "city": "Ulm", "guests": 3}
    {"id": 2, "city": "Berlin", "guests": "many"}
    {"id": 3}
    {"id": 4, "city": "Ulm"}

    """

@MainActor
func importingDirtyFile(_ kennel: DataStack) async throws {
    let stack = DataStack(citySchema)
    try stack.addStorageAndWait(InMemoryStore())
    try await withFile("visits.jsonl", visits) { url in
        // snippet: visits-import
        let options = ImportOptions(transactions: .batches(of: 10_000), refusals: .keepOthers)
        let report = try await stack.async.importUniqueObjects(Into<Visit>(), from: RecordFile(url), options: options)
        print(report)
        for refused in report.refusals { print("line \(refused.line), key '\(refused.key ?? "")'") }
        do {
            _ = try await stack.async.importUniqueObjects(Into<Visit>(), from: RecordFile(url))
        } catch let error as ImportError {
            print("\(error.refusedCount) records are refused, and \(error.saved.recordCount) were saved.")
        }
        // end
    }
}

@MainActor
func readingFile(_ kennel: DataStack) async throws {
    try await withFile("visits.jsonl", visits) { url in
        // snippet: visits-reader
        var reader = try RecordReader<Visit.ImportSource>(RecordFile(url))
        while let record = try reader.next() {
            switch record.content {
            case .success(let visit): print(visit.id, visit.city)
            case .failure(let refused): print(refused)
            }
        }
        // end
    }
}
