import CofferEvaluation
import CofferSchema
import CofferStorage
import Foundation

/// Converts the arguments of a format string: the accepted types, such as numbers, objects, dictionaries and collections.
extension ExpressionFormat {
    /// An argument as a constant, or as a collection of constants; nil for an argument that has no value.
    ///
    /// A set is sorted, so that equal sets make equal conditions.
    init?(argument: Any) {
        // First: casts to classes of Foundation copy a whole collection.
        if let list = argument as? any ArgumentList, !(argument is any FieldStorableType) {
            self.init(list: list)
        } else if let optional = argument as? any FieldOptionalType {
            guard let wrapped = optional.cs_wrappedValue else {
                self = .constant(.null)
                return
            }
            self.init(argument: wrapped)
        } else if argument is NSNull {
            self = .constant(.null)
        } else if let value = Value.argument(argument) {
            guard value.isComparable else { return nil }
            self = .constant(value)
        } else {
            self.init(collection: argument)
        }
    }

    private init?(list: some ArgumentList) {
        if let values = list.storedValues {
            self.init(values: values, isOrdered: list.isOrdered)
        } else {
            self.init(members: list.map { $0 }, isOrdered: list.isOrdered)
        }
    }

    private init?(collection: Any) {
        switch collection {
        case let entries as [AnyHashable: Any]:
            self.init(entries: entries)
        case let entries as NSDictionary:
            var pairs: [AnyHashable: Any] = [:]
            for case let (key as AnyHashable, value) in entries { pairs[key] = value }
            self.init(entries: pairs)
        case let members as NSSet:
            self.init(members: members.allObjects, isOrdered: false)
        case let members as any SetAlgebra & Sequence:
            self.init(members: members.map { $0 }, isOrdered: false)
        case let members as any Sequence:
            self.init(members: members.map { $0 }, isOrdered: true)
        default:
            return nil
        }
    }

    private init?(entries: [AnyHashable: Any]) {
        var expressions: [String: ExpressionFormat] = [:]
        for (key, value) in entries {
            guard let key = key.base as? String, let value = ExpressionFormat(argument: value) else { return nil }
            expressions[key] = value
        }
        self = .dictionary(expressions)
    }

    private init?(members: [Any], isOrdered: Bool) {
        let expressions = members.compactMap(ExpressionFormat.init(argument:))
        guard expressions.count == members.count else { return nil }
        self = .collection(isOrdered ? expressions : expressions.sorted(by: Self.precedes))
    }

    private init?(values: [Value], isOrdered: Bool) {
        guard values.allSatisfy(\.isComparable) else { return nil }
        self = .collection((isOrdered ? values : values.sorted(by: Self.precedes)).map { .constant($0) })
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
    /// Elements of other types are asked for their types one by one.
    fileprivate var storedValues: [Value]? {
        if let type = Element.self as? any FieldStorableType.Type { return values(type) }
        return Element.self == ObjectID.self ? compactMap { ($0 as? ObjectID).map(Value.object) } : nil
    }

    private func values<Stored: FieldStorableType>(_ type: Stored.Type) -> [Value] {
        compactMap { ($0 as? Stored)?._storedValue }
    }
}
