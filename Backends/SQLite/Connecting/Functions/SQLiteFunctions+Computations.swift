import CofferCSQLite
import CofferEvaluation
import CofferStorage

/// Registers SQL functions for computations and string conditions that SQLite does not support.
///
/// The functions call the code of the reference evaluator, so that their results are equal.
extension SQLiteFunctions {
    static func name(of function: ValueFunction) -> String { "coffer_compute_\(function.rawValue)" }

    static func name(of relation: TextRelation) -> String { "coffer_text_\(relation.rawValue)" }

    /// Registers an SQL function for each function and each string relation; a relation takes the options last.
    static func registerComputations(on handle: OpaquePointer) {
        for (index, function) in ValueFunction.allCases.enumerated() {
            register(name(of: function), function.argumentCount, index, on: handle) { context, count, arguments in
                let function = ValueFunction.allCases[SQLiteFunctions.index(context)]
                let values = (0..<Int(count)).map { index in
                    let argument = arguments?[index]
                    return function.isForText
                        ? SQLiteFunctions.text(argument) : Value(SQLiteFunctions.number(argument))
                }
                SQLiteFunctions.finish(context, function.result(values))
            }
        }
        // Converts a double to a decimal.
        register("coffer_as_decimal", 1, on: handle) { context, _, arguments in
            SQLiteFunctions.finish(context, Value(SQLiteFunctions.number(arguments?[0])).asDecimal)
        }
        for (index, relation) in TextRelation.allCases.enumerated() {
            register(name(of: relation), 3, index, on: handle) { context, _, arguments in
                SQLiteFunctions.test(context, arguments)
            }
        }
    }

    private static func text(_ value: OpaquePointer?) -> Value {
        sqlite3_value_type(value) == SQLITE_TEXT ? .text(String(decoding: bytes(value), as: UTF8.self)) : .null
    }

    static func finish(_ context: OpaquePointer?, _ value: Value) {
        switch value {
        case .integer(let number): sqlite3_result_int64(context, number)
        case .double(let number): sqlite3_result_double(context, number)
        case .decimal(let number): sqlite3_result_text(context, "\(number)", -1, coffer_sqlite_transient())
        case .text(""): sqlite3_result_text(context, "", 0, coffer_sqlite_transient())
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text(context, $0.baseAddress, Int32(clamping: $0.count), coffer_sqlite_transient())
                }
            }
        case .null, .boolean, .blob, .date, .object: sqlite3_result_null(context)
        }
    }

    /// A pattern that SQLite keeps while a statement runs.
    private final class KeptPattern {
        let pattern: TextPattern

        init(_ pattern: TextPattern) { self.pattern = pattern }
    }

    private static func test(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard sqlite3_value_type(arguments?[0]) == SQLITE_TEXT, let kept = pattern(context, arguments) else {
            return sqlite3_result_null(context)
        }
        let holds = bytes(arguments?[0]).withMemoryRebound(to: UInt8.self) { kept.pattern.holds($0) }
        sqlite3_result_int(context, holds ? 1 : 0)
    }

    private static func pattern(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> KeptPattern? {
        if let known = sqlite3_get_auxdata(context, 1) {
            return Unmanaged<KeptPattern>.fromOpaque(known).takeUnretainedValue()
        }
        guard case .text(let text) = text(arguments?[1]) else { return nil }
        let options = TextOptions(rawValue: UInt8(clamping: sqlite3_value_int(arguments?[2])))
        let relation = TextRelation.allCases[index(context)]
        guard let pattern = try? TextPattern(relation, text, options) else { return nil }
        let kept = KeptPattern(pattern)
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(kept).toOpaque()) { kept in
            if let kept { Unmanaged<KeptPattern>.fromOpaque(kept).release() }
        }
        return kept
    }
}
