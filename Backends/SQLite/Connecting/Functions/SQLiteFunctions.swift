import CofferCSQLite
import CofferEvaluation
import CofferStorage
import Foundation

/// Registers the SQL functions, aggregates and collation for decimals and long lists.
enum SQLiteFunctions {
    static func register(on handle: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        sqlite3_create_collation_v2(
            handle, "coffer_decimal", SQLITE_UTF8, nil,
            { _, count, a, otherCount, b in
                DecimalText.compare(
                    UnsafeRawBufferPointer(start: a, count: Int(count)),
                    UnsafeRawBufferPointer(start: b, count: Int(otherCount))
                )
            }, nil)
        // The order of two numbers: -1, 0 or 1; null when one is null.
        sqlite3_create_function_v2(
            handle, "coffer_compare", 2, flags, nil,
            { context, _, arguments in
                guard let a = SQLiteFunctions.number(arguments?[0]), let b = SQLiteFunctions.number(arguments?[1])
                else {
                    return sqlite3_result_null(context)
                }
                sqlite3_result_int64(context, Int64(a.compare(b).rawValue))
            }, nil, nil, nil)
        // The double with a bit pattern.
        sqlite3_create_function_v2(
            handle, "coffer_double", 1, flags, nil,
            { context, _, arguments in
                sqlite3_result_double(
                    context, Double(bitPattern: UInt64(bitPattern: sqlite3_value_int64(arguments?[0]))))
            }, nil, nil, nil)
        // The bytes written as hexadecimal digits.
        sqlite3_create_function_v2(
            handle, "coffer_bytes", 1, flags, nil,
            { context, _, arguments in
                let digits = SQLiteFunctions.bytes(arguments?[0])
                var bytes: [UInt8] = []
                for index in stride(from: 0, to: digits.count - 1, by: 2) {
                    bytes.append(SQLiteFunctions.nibble(digits[index]) << 4 | SQLiteFunctions.nibble(digits[index + 1]))
                }
                sqlite3_result_blob(
                    context, bytes, Int32(clamping: bytes.count), coffer_sqlite_transient())
            }, nil, nil, nil)
        registerComputations(on: handle)
        registerAggregate("coffer_sum", on: handle) { SQLiteFunctions.finish($0, .sum, of: .decimal) }
        registerAggregate("coffer_average", on: handle) { SQLiteFunctions.finish($0, .average, of: .decimal) }
        registerAggregate("coffer_integer_sum", on: handle) { SQLiteFunctions.finish($0, .sum, of: .integer) }
        registerAggregate("coffer_integer_average", on: handle) { SQLiteFunctions.finish($0, .average, of: .integer) }
        registerAggregate("coffer_double_sum", on: handle) { SQLiteFunctions.finish($0, .sum, of: .double) }
        registerAggregate("coffer_double_average", on: handle) { SQLiteFunctions.finish($0, .average, of: .double) }
        registerAggregate("coffer_compared_sum", on: handle) {
            SQLiteFunctions.finish($0, .sum, of: .decimal, isInCondition: true)
        }
        registerAggregate("coffer_compared_average", on: handle) {
            SQLiteFunctions.finish($0, .average, of: .decimal, isInCondition: true)
        }
        registerAggregate("coffer_compared_integer_sum", on: handle) {
            SQLiteFunctions.finish($0, .sum, of: .integer, isInCondition: true)
        }
    }

    private static func registerAggregate(
        _ name: String, on handle: OpaquePointer, finish: @escaping @convention(c) (OpaquePointer?) -> Void
    ) {
        let step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
            context, _, arguments in
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
        sqlite3_create_function_v2(handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, nil, step, finish, nil)
    }

    private static func finish(
        _ context: OpaquePointer?, _ aggregate: ValueRequest.Aggregate, of kind: ColumnKind, isInCondition: Bool = false
    ) {
        let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let total = slot?.pointee.map { Unmanaged<SQLiteTotal>.fromOpaque($0).takeRetainedValue() } ?? SQLiteTotal()
        if let result = total.result(aggregate, of: kind, isInCondition: isInCondition) {
            return finish(context, result)
        }
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
