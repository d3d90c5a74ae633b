import Coffer
import Foundation
import TestSupport
import Testing

/// The films of the data set vega, a file with errors: ten of the 3,201 titles are not strings.
private final class Movie: CoreStoreObject, ImportableObject {
    struct ImportSource: Decodable {
        var title: String
        var gross: Int?
        var director: String?
        var rating: Double?

        private enum CodingKeys: String, CodingKey {
            case title = "Title"
            case gross = "US Gross"
            case director = "Director"
            case rating = "IMDB Rating"
        }
    }

    @Field.Stored("title") var title: String = ""
    @Field.Stored("gross") var gross: Int?
    @Field.Stored("director") var director: String?
    @Field.Stored("rating") var rating: Double?

    func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        (title, gross, director, rating) = (source.title, source.gross, source.director, source.rating)
    }
}

@MainActor
struct MovieFileTests {
    nonisolated private static let file = SharedData.file("vega/data/movies.json")

    @Test(.enabled(if: file != nil, Comment(rawValue: SharedData.advice)), arguments: TestBackend.allCases)
    func `each invalid record of a file is reported, and the valid records are imported`(
        _ backend: TestBackend
    ) async throws {
        let file = try RecordFile(#require(Self.file))
        let raw = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file.url)) as? [[String: Any]])
        let bad = raw.indices.filter { !(raw[$0]["Title"] is String) }.map { $0 + 1 }
        #expect(bad.count == 10)
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Movie>("Movie")]))

        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importObjects(Into<Movie>(), from: file)
        }
        #expect(error?.refusedCount == 10)
        #expect(try test.stack.fetchCount(From<Movie>()) == 0)

        let report = try await test.stack.async.importObjects(
            Into<Movie>(), from: file, options: ImportOptions(refusals: .keepOthers))
        #expect(report.refusals.map(\.number) == bad)
        #expect(report.refusals.allSatisfy { $0.key == "Title" })
        #expect(report.createdCount == raw.count - bad.count)
        // The lines of the file end with CR LF, which is a single character in Swift.
        let lines = try Data(contentsOf: file.url).split(separator: 0x0A, omittingEmptySubsequences: false)
        for refused in report.refusals {
            let title = raw[refused.number - 1]["Title"]
            let expected = title is NSNull ? "\"Title\": null" : "\"Title\": \(title ?? "")"
            #expect(String(decoding: lines[refused.line - 1], as: UTF8.self).contains(expected))
        }
        let movies = try test.stack.fetchAll(From<Movie>().orderBy(.ascending(\.$title)))
        let expected = raw.compactMap { $0["Title"] as? String }
        #expect(movies.map(\.title).sorted() == expected.sorted())
        let good = raw.filter { $0["Title"] is String }
        let gross = good.compactMap { $0["US Gross"] as? Int }
        #expect(movies.compactMap(\.gross).reduce(0, +) == gross.reduce(0, +))
    }
}
