import Coffer
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Each condition of ``OperatorTable`` on every backend, and the page that shows them.
@MainActor
struct OperatorTests {
    @Test(arguments: TestBackend.allCases)
    func `an operator finds the same objects in Swift and in a format string`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Thing.schema)
        try Thing.fill(test.stack)
        func names(_ condition: Where<Thing>) throws -> String {
            try test.stack.fetchAll(From<Thing>(), condition).map(\.name).sorted().joined(separator: " ")
        }
        for row in try OperatorTable().rows {
            let note = Comment(rawValue: "\(row.section): \(row.format)")
            let format = Where<Thing>(row.format, argumentArray: row.arguments)
            let found = row.finds.split(separator: " ")
            let others = ["a", "b", "c", "nil"].filter { !found.contains(Substring($0)) }
            #expect(try names(format) == row.finds, note)
            #expect(try names(!format) == others.joined(separator: " "), note)
            guard let typed = row.typed else { continue }
            #expect(!typed.spelling.isEmpty, note)
            #expect(try names(typed.condition) == row.finds, note)
        }
    }

    @Test func `the operators page of the documentation is up to date`() throws {
        let statements = Locked<[String]>([])
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let stack = DataStack(Thing.schema)
        let settings = SQLiteConfiguration(onStatement: { text in statements.withLock { $0.append(text) } })
        let place = directory.appending(path: "things.sqlite")
        try stack.addStorageAndWait(SQLiteStore(fileURL: place, settings: settings))
        try Thing.fill(stack)
        let page: String = try OperatorTable().markdown { row in
            statements.withLock { $0 = [] }
            _ = try stack.fetchCount(From<Thing>(), Where<Thing>(row.format, argumentArray: row.arguments))
            let text = try #require(statements.withLock { $0.last { $0.hasPrefix("SELECT") } })
            return text.firstRange(of: " WHERE ").map { String(text[$0.upperBound...]) } ?? text
        }
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/operators.md").standardizedFileURL
        if ProcessInfo.processInfo.environment["COFFER_UPDATE"] == "1" {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        let found = try? String(contentsOf: file, encoding: String.Encoding.utf8)
        #expect(found == page, "docs/operators.md is not up to date. Run scripts/operators.")
    }
}
