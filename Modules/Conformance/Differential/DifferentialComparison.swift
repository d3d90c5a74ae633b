import CofferEvaluation
import CofferStorage
import Foundation

/// Compares the results of a store with the results of the reference evaluator for the same rows.
struct DifferentialComparison {
    enum Request {
        case rows(RowRequest)
        case values(ValueRequest)
    }

    let session: Session
    let oracle: Oracle

    func check(_ request: Request) throws {
        switch request {
        case .rows(let request): try check(request)
        case .values(let request): try check(request)
        }
    }

    private func check(_ request: RowRequest) throws {
        let expected = ReferenceEvaluator(layout: session.layout).rows(request, in: oracle)
        try session.expectRows(session.rows(request), expected, "the rows of \(request)")
        try expectEqual(try session.keys(request), expected.map(\.key), "the keys of \(request)")
        try expectEqual(try session.count(request), expected.count, "the count of \(request)")
    }

    private func check(_ request: ValueRequest) throws {
        let expected: [[Value]]
        do throws(StorageError) {
            expected = try ReferenceEvaluator(layout: session.layout).values(request, in: oracle)
        } catch {
            try expectThrows(error.code, "the values of \(request)") { try session.values(request) }
            return
        }
        let found = try session.values(request)
        try expectEqual(
            found.map { $0.map(rounded) }, expected.map { $0.map(rounded) }, "the values of \(request)")
    }

    /// Rounds a number, because averages may differ in their last digits.
    private func rounded(_ value: Value) -> Value {
        switch value {
        case .double(let number) where number.isFinite && number != 0:
            let scale = pow(10, 12 - log10(abs(number)).rounded(.up))
            return .double(scale.isNormal ? (number * scale).rounded() / scale : number)
        case .decimal(var number):
            var result = Decimal()
            NSDecimalRound(&result, &number, 20, .plain)
            return .decimal(result)
        default: return value
        }
    }
}
