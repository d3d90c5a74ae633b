import CofferStorage
import Foundation

/// Prints values of a model in the notation of Swift.
enum SwiftValue {
    /// The type of a property that has the attribute type.
    static func typeName(_ type: AttributeType) -> String {
        switch type {
        case .integer16AttributeType: "Int16"
        case .integer32AttributeType: "Int32"
        case .integer64AttributeType: "Int"
        case .decimalAttributeType: "Decimal"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .stringAttributeType: "String"
        case .booleanAttributeType: "Bool"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType: "Data"
        case .objectIDAttributeType: "ObjectID"
        }
    }

    /// The expression of a default value; nil if the property needs no default value.
    static func literal(_ value: Value, _ type: AttributeType, isOptional: Bool) -> String? {
        switch value {
        case .null: isOptional ? nil : blank(type)
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : number > 0 ? ".infinity" : "-.infinity"
        case .decimal(let number): "Decimal(string: \"\(number)\")" + (isOptional ? "" : " ?? 0")
        case .text(let text): text.debugDescription
        case .blob(let data):
            data.isEmpty
                ? "Data()" : "Data(base64Encoded: \"\(data.base64EncodedString())\")" + (isOptional ? "" : " ?? Data()")
        case .date(let seconds):
            "Date(timeIntervalSinceReferenceDate: \(literal(.double(seconds), type, isOptional: false) ?? "0"))"
        case .object: nil
        }
    }

    /// The initial value of a required property without a default value in the model.
    private static func blank(_ type: AttributeType) -> String {
        switch type.columnKind {
        case .integer, .double, .decimal, .reference: "0"
        case .boolean: "false"
        case .text: "\"\""
        case .date: "Date(timeIntervalSinceReferenceDate: 0)"
        case .blob: "Data()"
        }
    }
}
