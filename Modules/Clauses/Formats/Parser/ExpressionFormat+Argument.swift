import CofferEvaluation
import CofferSchema
import CofferStorage
import Foundation

/// Converts arguments of a format string, such as numbers, objects, dictionaries and collections, to expressions.
extension ExpressionFormat {
    /// Returns an argument as a constant, or as a collection of constants; nil if format strings do not support it.
    ///
    /// A set is sorted, so that equal sets result in equal conditions.
    static func argument(_ argument: Any) -> ExpressionFormat? {
        // Arrays and sets are tested first, because casts to classes of Foundation copy a whole collection.
        if let list = argument as? any ArgumentList, !(argument is any FieldStorableType) {
            return expression(list: list)
        }
        if let optional = argument as? any FieldOptionalType {
            guard let wrapped = optional.cs_wrappedValue else { return .constant(.null) }
            return self.argument(wrapped)
        }
        if argument is NSNull { return .constant(.null) }
        guard let value = Value.argument(argument) else { return expression(collection: argument) }
        return value.isComparable ? .constant(value) : nil
    }

    private static func expression(list: some ArgumentList) -> ExpressionFormat? {
        guard let values = list.storedValues else {
            return expression(members: list.map { $0 }, isOrdered: list.isOrdered)
        }
        guard values.allSatisfy(\.isComparable) else { return nil }
        return .collection((list.isOrdered ? values : values.sorted(by: precedes)).map { .constant($0) })
    }

    private static func expression(collection: Any) -> ExpressionFormat? {
        switch collection {
        case let entries as [AnyHashable: Any]: return expression(entries: entries)
        case let entries as NSDictionary:
            var pairs: [AnyHashable: Any] = [:]
            for case let (key as AnyHashable, value) in entries { pairs[key] = value }
            return expression(entries: pairs)
        case let members as NSSet: return expression(members: members.allObjects, isOrdered: false)
        case let members as any SetAlgebra & Sequence:
            return expression(members: members.map { $0 }, isOrdered: false)
        case let members as any Sequence: return expression(members: members.map { $0 }, isOrdered: true)
        default: return nil
        }
    }

    private static func expression(entries: [AnyHashable: Any]) -> ExpressionFormat? {
        var expressions: [String: ExpressionFormat] = [:]
        for (key, value) in entries {
            guard let key = key.base as? String, let value = argument(value) else { return nil }
            expressions[key] = value
        }
        return .dictionary(expressions)
    }

    private static func expression(members: [Any], isOrdered: Bool) -> ExpressionFormat? {
        let expressions = members.compactMap(argument)
        guard expressions.count == members.count else { return nil }
        return .collection(isOrdered ? expressions : expressions.sorted(by: precedes))
    }

    /// An order of constants in which constants of the same kind are neighbours.
    private static func precedes(_ left: ExpressionFormat, _ right: ExpressionFormat) -> Bool {
        guard case .constant(let left) = left, case .constant(let right) = right else { return false }
        return precedes(left.value, right.value)
    }

    private static func precedes(_ left: Value, _ right: Value) -> Bool {
        if case .integer(let left) = left, case .integer(let right) = right { return left < right }
        if left.rank != right.rank { return left.rank < right.rank }
        return ValueOrdering.compare(left, right) == .orderedAscending
    }
}

extension Value {
    fileprivate static func argument(_ argument: Any) -> Value? {
        switch argument {
        case let value as Value: value
        case let value as any FieldStorableType: value._storedValue
        case let value as any QueryableAttributeType: value._queryValue
        case let object as any DynamicObject: .object(object.cs_id())
        case let object as any AnyObjectRepresentation: .object(object.objectID())
        case let number as any BinaryInteger: integer(number)
        case let text as any StringProtocol: .text(String(text))
        default: nil
        }
    }

    private static func integer(_ number: some BinaryInteger) -> Value? {
        Int64(exactly: number).map { .integer($0) } ?? Decimal(string: "\(number)").map { .decimal($0) }
    }

    /// Whether the value is not NaN.
    fileprivate var isComparable: Bool {
        switch self {
        case .double(let number), .date(let number): !number.isNaN
        case .decimal(let number): !number.isNaN
        default: true
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .boolean, .integer, .double, .decimal: 1
        case .text: 2
        case .blob: 3
        case .date: 4
        case .object: 5
        }
    }
}

/// An array or a set of any elements.
private protocol ArgumentList: Sequence {
    /// Whether the order of the elements has a meaning.
    var isOrdered: Bool { get }
}

extension Array: ArgumentList {
    fileprivate var isOrdered: Bool { true }
}

extension Set: ArgumentList {
    fileprivate var isOrdered: Bool { false }
}

extension ArgumentList {
    /// The elements as values, if the type of the elements is sufficient to convert them; nil otherwise.
    ///
    /// If the result is nil, the caller converts the elements one by one, each by its own type.
    fileprivate var storedValues: [Value]? {
        if let type = Element.self as? any FieldStorableType.Type { return values(type) }
        return Element.self == ObjectID.self ? compactMap { ($0 as? ObjectID).map(Value.object) } : nil
    }

    private func values<Stored: FieldStorableType>(_ type: Stored.Type) -> [Value] {
        compactMap { ($0 as? Stored)?._storedValue }
    }
}
