import CofferEvaluation
import CofferSchema
import CofferStorage
import Foundation

/// The arguments of a format string: the accepted types, such as numbers, objects, dictionaries and collections.
struct FormatArguments {
    private let values: [Any]
    private(set) var taken = 0

    init(_ values: [Any]) {
        self.values = values
    }

    /// Returns the next argument; nil after the last one.
    mutating func next() -> Any? {
        guard taken < values.count else { return nil }
        taken += 1
        return values[taken - 1]
    }
}

extension ExpressionFormat {
    /// An argument as a constant, or as a collection of constants; nil for an argument that has no value.
    ///
    /// A set is sorted, so that equal sets make equal conditions.
    init?(argument: Any) {
        if let optional = argument as? any OptionalArgument {
            guard let wrapped = optional.wrapped else {
                self = .constant(.null)
                return
            }
            self.init(argument: wrapped)
        } else if argument is NSNull {
            self = .constant(.null)
        } else if let value = Value(argument: argument) {
            if case .double(let number) = value, number.isNaN { return nil }
            if case .date(let seconds) = value, seconds.isNaN { return nil }
            if case .decimal(let number) = value, number.isNaN { return nil }
            self = .constant(value)
        } else {
            self.init(collection: argument)
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
        case let members as NSOrderedSet:
            self.init(members: members.array, isOrdered: true)
        case let members as NSArray:
            self.init(members: members.compactMap(\.self), isOrdered: true)
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
        var expressions: [ExpressionFormat] = []
        expressions.reserveCapacity(members.count)
        for member in members {
            guard let expression = ExpressionFormat(argument: member) else { return nil }
            expressions.append(expression)
        }
        self = .collection(isOrdered ? expressions : expressions.sorted(by: Self.precedes))
    }

    /// An order of constants in which constants of the same kind are neighbours.
    private static func precedes(_ left: ExpressionFormat, _ right: ExpressionFormat) -> Bool {
        guard case .constant(let left) = left, case .constant(let right) = right else { return false }
        if left.value.rank != right.value.rank { return left.value.rank < right.value.rank }
        return ValueOrdering.compare(left.value, right.value) == .orderedAscending
    }
}

extension Value {
    fileprivate init?(argument: Any) {
        switch argument {
        case let value as Value: self = value
        case let value as any FieldStorableType: self = value._storedValue
        case let value as any QueryableAttributeType: self = value._queryValue
        case let object as any DynamicObject: self = .object(object.cs_id())
        case let object as any AnyObjectRepresentation: self = .object(object.objectID())
        case let number as any BinaryInteger: self.init(integer: number)
        case let text as any StringProtocol: self = .text(String(text))
        default: return nil
        }
    }

    private init?(integer number: some BinaryInteger) {
        if let integer = Int64(exactly: number) {
            self = .integer(integer)
        } else if let decimal = Decimal(string: "\(number)") {
            self = .decimal(decimal)
        } else {
            return nil
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

/// An optional of any type.
private protocol OptionalArgument {
    var wrapped: Any? { get }
}

extension Optional: OptionalArgument {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}
