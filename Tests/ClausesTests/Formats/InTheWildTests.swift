import Foundation
import TestSupport
import Testing

@testable import CofferClauses

/// Format strings from the programs of other people.
@Suite(.enabled(if: OpenData.folder != nil, "set COFFER_DATA to the folder of the open data"))
struct InTheWildTests {
    @Test(.pins("CLS-27")) func `every collected format string is parsed and printed to an equal condition`()
        throws
    {
        let rows = try OpenData.rows("in-the-wild.tsv").filter { $0[2] == "0" && $0[3] == "ok" }
        #expect(rows.count == 1591)
        for row in rows {
            do {
                let condition = try PredicateFormat(row[0], argumentArray: Self.arguments(for: row[0]))
                let printed = condition.description
                #expect(try PredicateFormat(printed) == condition, "\(row[0]) is printed as \(printed)")
            } catch {
                Issue.record("\(row[0]): \(error)")
            }
        }
    }

    @Test func `every invalid collected format string is refused with a column`() throws {
        let rows = try OpenData.rows("in-the-wild.tsv").filter { $0[2] == "0" && $0[3].hasPrefix("FAIL") }
        #expect(rows.count == 15)
        for row in rows {
            let error = #expect(throws: PredicateFormatError.self, "\(row[0])") {
                try PredicateFormat(row[0], argumentArray: Array(repeating: "key", count: 9))
            }
            #expect(1...(row[0].count + 1) ~= (error?.column ?? 0))
        }
    }

    /// Returns a key for each `%K` and a number for every other argument.
    static func arguments(for format: String) throws -> [Any] {
        var lexer = FormatLexer(format)
        var arguments: [Any] = []
        while true {
            switch try lexer.next().kind {
            case .end: return arguments
            case .keyArgument: arguments.append("key.path")
            case .argument: arguments.append(arguments.count)
            default: continue
            }
        }
    }
}
