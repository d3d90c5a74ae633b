import CofferClauses
import Foundation
import TestSupport
import Testing

/// Conditions and objects, with the results of Foundation.
@Suite(.enabled(if: OpenData.folder != nil, "set COFFER_DATA to the folder of the open data"))
struct TruthTests {
    @Test(.pins("CLS-27")) func `format strings evaluate as the truth table defines`() throws {
        let rows = try OpenData.rows("truth.tsv")
        #expect(rows.count == 68)
        for row in rows {
            #expect(Self.answer(row) == row[4], "\(row[0]) for \(row[3]), with \(row[1]) and \(row[2])")
        }
    }

    private static func answer(_ row: [String]) -> String {
        do {
            let arguments = try JSON(row[1]).any as? [Any]
            let variables = try row[2].isEmpty ? [:] : JSON(row[2]).any as? [String: Any]
            let condition = try PredicateFormat(row[0], argumentArray: arguments)
            let holds = try condition.evaluate(with: JSON(row[3]).any, substitutionVariables: variables ?? [:])
            return holds ? "1" : "0"
        } catch is PredicateFormatError {
            return "PARSE_ERROR"
        } catch is FormatEvaluationError {
            return "THROWS"
        } catch {
            return "\(error)"
        }
    }
}

/// A JSON document as Swift values; 1, 1.0 and true are different values.
private struct JSON: Decodable {
    let any: Any?

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            any = nil
        } else if let flag = try? container.decode(Bool.self) {
            any = flag
        } else if let number = try? container.decode(Int.self) {
            any = number
        } else if let number = try? container.decode(Double.self) {
            any = number
        } else if let text = try? container.decode(String.self) {
            any = text
        } else if let members = try? container.decode([JSON].self) {
            any = members.map { $0.any as Any }
        } else {
            any = try container.decode([String: JSON].self).mapValues { $0.any as Any }
        }
    }
}
