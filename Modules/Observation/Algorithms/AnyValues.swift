import CofferStorage

/// Compares values of unknown types for equality.
enum AnyValues {
    /// Whether two dictionaries have equal values for the same keys.
    ///
    /// Values of types that are not `Equatable` equal no value.
    static func areEqual(_ left: [KeyPathString: Any], _ right: [KeyPathString: Any]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
    }

    private static func areEqual(_ left: Any, _ right: Any) -> Bool {
        func compare<T: Equatable>(_ left: T) -> Bool { (right as? T) == left }
        return (left as? any Equatable).map { compare($0) } ?? false
    }

    /// Returns the value without its optionals; nil if one of them has no value.
    static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any AnyOptional else { return value }
        return optional.anyWrapped.flatMap { unwrapped($0) }
    }
}

/// An optional of any type.
protocol AnyOptional {
    var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
    var anyWrapped: Any? { map { $0 as Any } }
}
