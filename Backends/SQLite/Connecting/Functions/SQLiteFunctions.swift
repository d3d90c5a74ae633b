import CofferCSQLite
import CofferEvaluation
import CofferStorage
import Foundation

/// Registers the SQL functions, aggregates and collation for decimals and long lists.
enum SQLiteFunctions {
    typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    static func register(on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, "coffer_decimal", SQLITE_UTF8, nil,
            { _, count, a, otherCount, b in
                DecimalText.compare(
                    UnsafeRawBufferPointer(start: a, count: Int(count)),
                    UnsafeRawBufferPointer(start: b, count: Int(otherCount))
                )
            }, nil)
        // Returns the order of two numbers: -1, 0 or 1; null if one of them is null.
        register("coffer_compare", 2, on: handle) { context, _, arguments in
            guard let a = SQLiteFunctions.number(arguments?[0]), let b = SQLiteFunctions.number(arguments?[1]) else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_int64(context, Int64(a.compare(b).rawValue))
        }
        // Returns the double with a bit pattern.
        register("coffer_double", 1, on: handle) { context, _, arguments in
            sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: sqlite3_value_int64(arguments?[0]))))
        }
        // Returns the bytes of a string of hexadecimal digits.
        register("coffer_bytes", 1, on: handle) { context, _, arguments in
            let digits = SQLiteFunctions.bytes(arguments?[0])
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count - 1, by: 2) {
                bytes.append(SQLiteFunctions.nibble(digits[index]) << 4 | SQLiteFunctions.nibble(digits[index + 1]))
            }
            sqlite3_result_blob(context, bytes, Int32(clamping: bytes.count), coffer_sqlite_transient())
        }
        registerComputations(on: handle)
        for (index, aggregate) in aggregates.enumerated() { register(aggregate, index, on: handle) }
    }

    /// Registers a function.
    ///
    /// - Parameters:
    ///   - argumentCount: the number of its arguments.
    ///   - index: a number that the function can read with ``index(_:)``.
    static func register(
        _ name: String, _ argumentCount: Int, _ index: Int = 0, on handle: OpaquePointer, _ function: Function
    ) {
        sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            UnsafeMutableRawPointer(bitPattern: index + 1), function, nil, nil, nil)
    }

    /// Returns the number with which a function was registered.
    static func index(_ context: OpaquePointer?) -> Int {
        sqlite3_user_data(context).map { Int(bitPattern: $0) - 1 } ?? 0
    }

    // MARK: Aggregates

    /// An aggregate of numbers.
    private struct Aggregate {
        let name: String
        let aggregate: ValueRequest.Aggregate
        let kind: ColumnKind
        /// Whether the result is compared, and not returned.
        var isInCondition = false
    }

    private static let aggregates = [
        Aggregate(name: "coffer_sum", aggregate: .sum, kind: .decimal),
        Aggregate(name: "coffer_average", aggregate: .average, kind: .decimal),
        Aggregate(name: "coffer_integer_sum", aggregate: .sum, kind: .integer),
        Aggregate(name: "coffer_integer_average", aggregate: .average, kind: .integer),
        Aggregate(name: "coffer_double_sum", aggregate: .sum, kind: .double),
        Aggregate(name: "coffer_double_average", aggregate: .average, kind: .double),
        Aggregate(name: "coffer_compared_sum", aggregate: .sum, kind: .decimal, isInCondition: true),
        Aggregate(name: "coffer_compared_average", aggregate: .average, kind: .decimal, isInCondition: true),
        Aggregate(name: "coffer_compared_integer_sum", aggregate: .sum, kind: .integer, isInCondition: true),
    ]

    private static func register(_ aggregate: Aggregate, _ index: Int, on handle: OpaquePointer) {
        let step: Function = { context, _, arguments in
            guard let number = SQLiteFunctions.number(arguments?[0]),
                let slot = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
            else { return }
            let box = slot.assumingMemoryBound(to: UnsafeRawPointer?.self)
            if let known = box.pointee {
                Unmanaged<SQLiteTotal>.fromOpaque(known).takeUnretainedValue().add(number)
            } else {
                let total = SQLiteTotal()
                total.add(number)
                box.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
            }
        }
        sqlite3_create_function_v2(
            handle, aggregate.name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            UnsafeMutableRawPointer(bitPattern: index + 1), nil, step, { SQLiteFunctions.finish($0) }, nil)
    }

    private static func finish(_ context: OpaquePointer?) {
        let aggregate = aggregates[index(context)]
        let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let total = slot?.pointee.map { Unmanaged<SQLiteTotal>.fromOpaque($0).takeRetainedValue() } ?? SQLiteTotal()
        let result = total.result(aggregate.aggregate, of: aggregate.kind, isInCondition: aggregate.isInCondition)
        if let result { return finish(context, result) }
        let overflow = SQLiteTotal.overflow
        sqlite3_result_blob(context, overflow, Int32(overflow.count), coffer_sqlite_transient())
    }

    static func number(_ value: OpaquePointer?) -> Number? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .double(sqlite3_value_double(value))
        case SQLITE_TEXT: DecimalText.decimal(bytes(value)).map(Number.decimal)
        default: nil
        }
    }

    static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func nibble(_ digit: UInt8) -> UInt8 { digit <= 57 ? digit &- 48 : (digit | 32) &- 87 }
}
