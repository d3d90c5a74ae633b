import CofferStorage
import CofferStorageTools

/// A key of a path in a format string that begins with `@`, such as `@count` or `@avg`.
enum FormatPathOperator {
    case aggregate(ValueRequest.Aggregate)
    case firstObject, lastObject, allKeys, allValues, union, distinctUnion
    case unknown

    /// The operator of a key; nil if the key is not an operator.
    init?(_ key: String) {
        guard key.hasPrefix("@") else { return nil }
        switch key {
        case "@firstObject": self = .firstObject
        case "@lastObject": self = .lastObject
        case "@allKeys": self = .allKeys
        case "@allValues": self = .allValues
        case "@unionOfObjects", "@unionOfArrays", "@unionOfSets": self = .union
        case "@distinctUnionOfObjects", "@distinctUnionOfArrays", "@distinctUnionOfSets": self = .distinctUnion
        default: self = ValueRequest.Aggregate(pathKey: key).map { .aggregate($0) } ?? .unknown
        }
    }
}
