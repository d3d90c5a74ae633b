import CofferEvaluation
import CofferStorage
import Foundation

extension SQLiteColumn {
    /// Converts the column to a value of a kind; returns nil if its content has no value of this kind.
    ///
    /// - Parameter kind: nil for a number of either kind.
    func converted(to kind: ColumnKind?) -> Value? {
        let type = type
        if type == SQLiteStorageClass.null { return .null }
        // Reading the blob as text would change its type.
        if type == SQLiteStorageClass.blob, kind != .blob, kind != .text, isOverflow { return nil }
        guard let kind else {
            return converted(to: type == SQLiteStorageClass.real ? .double : .integer)?.joiningIntegers
        }
        switch kind {
        case .text: return .text(String(decoding: textBytes, as: UTF8.self))
        case .blob: return .blob(Data(blobBytes))
        case .decimal: return DecimalText.decimal(textBytes).map(Value.decimal)
        case .double: return number(type).map(Value.double)
        case .date: return number(type).map(Value.date)
        case .integer, .reference: return whole(type).map(Value.integer)
        case .boolean: return whole(type).map { .boolean($0 != 0) }
        }
    }

    /// Whether the column is a sum that exceeds its kind.
    var isOverflow: Bool { type == SQLiteStorageClass.blob && blobBytes.elementsEqual(SQLiteTotal.overflow) }

    private func number(_ type: Int32) -> Double? {
        if type == SQLiteStorageClass.real || type == SQLiteStorageClass.integer { return double }
        return Double(string ?? "").flatMap { $0.isNaN ? nil : $0 }
    }

    private func whole(_ type: Int32) -> Int64? {
        switch type {
        case SQLiteStorageClass.integer: integer
        case SQLiteStorageClass.real: Int64(exactly: double)
        default: Int64(string ?? "")
        }
    }

    /// The column as a string; nil for null.
    private var string: String? {
        type == SQLiteStorageClass.null ? nil : String(decoding: textBytes, as: UTF8.self)
    }
}
