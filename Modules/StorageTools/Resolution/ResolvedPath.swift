import CofferEvaluation
package import CofferStorage
import Foundation

/// One side of a comparison with resolved names; refuses NaN, and two sides whose kinds are not comparable.
struct ResolvedPath {
    /// One to-many relationship of the path, with the to-one relationships before it.
    struct Collection {
        var from: [Int]
        var relationship: Int
    }

    /// The to-many relationships of the path, outermost first.
    ///
    /// `expression` refers to the objects at the end of the last relationship.
    var collections: [Collection] = []
    var expression: RowExpression
    /// The kind of the value; nil for the constant null.
    var kind: ColumnKind?
    /// The root entity of the objects, if the values are objects.
    var objectRoot: Int?
    /// Whether the values are strings of UUIDs, in lower case.
    var isUUID = false
    /// The name of the value in a message.
    var name = ""

    /// Whether there are many values.
    var isCollection: Bool { !collections.isEmpty }
    var isObject: Bool { kind == .reference }
    var isConstant: Bool { if case .value = expression { true } else { false } }

    init(expression: RowExpression, kind: ColumnKind?, objectRoot: Int? = nil) {
        self.expression = expression
        self.kind = kind
        self.objectRoot = objectRoot
    }

    init(constant value: Value) {
        expression = .value(value)
        kind = value.kind
    }

    /// A condition that at least one object at the end of the to-many relationships fulfils the given condition.
    func wrapping(_ condition: RowPredicate) -> RowPredicate {
        collections.reversed().reduce(condition) { .some(from: $1.from, relationship: $1.relationship, $0) }
    }

    /// Returns the constant in its stored form, for a comparison with another path.
    ///
    /// The string of a UUID is in lower case.
    func canonical(comparedWith other: ResolvedPath) -> ResolvedPath {
        guard other.isUUID, case .value(let value) = expression else { return self }
        return ResolvedPath(constant: value.canonicalUUID)
    }

    /// The expression with a key in place of the id of an object.
    ///
    /// The result is nil if the object belongs to another store or tree than the objects of `other`, and therefore
    /// equals none of them.
    func resolvedExpression(_ resolver: RequestResolver, other: ResolvedPath) -> RowExpression? {
        guard case .value(.object(let id)) = expression else { return expression }
        guard let root = other.objectRoot else { return expression }
        guard resolver.keySpaces[root] == id.space else { return nil }
        return .value(.integer(id.key))
    }
}

extension String {
    /// Whether this is the string of a UUID, with lowercase letters.
    fileprivate var isLowercaseUUID: Bool {
        var text = self
        return text.withUTF8 { bytes in
            bytes.count == 36
                && bytes.indices.allSatisfy { place in
                    switch (place, bytes[place]) {
                    case (8, let byte), (13, let byte), (18, let byte), (23, let byte): byte == UInt8(ascii: "-")
                    case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")): true
                    default: false
                    }
                }
        }
    }
}

extension Value {
    /// The string of a UUID in lower case; any other value is unchanged.
    package var canonicalUUID: Value {
        guard case .text(let text) = self, !text.isLowercaseUUID, let uuid = UUID(uuidString: text) else { return self }
        return .text(uuid.uuidString.lowercased())
    }

    /// Refuses NaN, which does not equal itself and which databases cannot search for.
    func requireNumber() throws(StorageError) {
        let isNumber =
            switch self {
            case .double(let number), .date(let number): !number.isNaN
            case .decimal(let number): !number.isNaN
            default: true
            }
        if !isNumber {
            throw .invalidRequest("NaN cannot be used in comparisons or computations. A missing value equals nil.")
        }
    }
}

extension RequestResolver {
    func requireComparable(
        _ left: ResolvedPath, _ right: ResolvedPath, _ comparison: QueryComparison
    ) throws(StorageError) {
        guard let a = left.kind, let b = right.kind else { return }
        if let one = left.objectRoot, let other = right.objectRoot, one != other {
            throw .invalidRequest(
                "'\(left.name) \(comparison.relation.symbol) \(right.name)' compares objects of "
                    + "'\(layout.entities[one].name)' with objects of '\(layout.entities[other].name)', which are never "
                    + "the same."
            )
        }
        if a.isComparable(with: b) { return }
        throw .invalidRequest(
            "'\(left.name.isEmpty ? right.name : left.name) \(comparison.relation.symbol) …' compares \(a.article) with "
                + "\(b.article). Use a value of the property's type."
        )
    }

    /// Refuses a condition on groups that compares a term with a value of another kind.
    package func requireComparable(
        _ term: ValueRequest.Term, _ constant: Value, entity: Int
    ) throws(StorageError) {
        try constant.requireNumber()
        let (kind, name) =
            switch term {
            case .expression(let expression):
                (layout.kind(of: expression), layout.name(of: expression, in: entity))
            case .aggregate(let aggregate, let expression):
                (
                    aggregate.kind(of: layout.kind(of: expression)),
                    "\(aggregate) of \(layout.name(of: expression, in: entity))"
                )
            }
        guard let kind, let other = constant.kind else { return }
        guard kind.isComparable(with: other), other != .reference else {
            throw .invalidRequest(
                "A condition on groups compares '\(name)' with \(other.article). Use \(kind.wanted)."
            )
        }
    }
}

extension ColumnKind {
    /// Whether values of the two kinds can be compared at all.
    func isComparable(with other: ColumnKind) -> Bool { self == other || (isNumeric && other.isNumeric) }

    /// The values that a condition on groups may compare with a value of this kind.
    fileprivate var wanted: String { self == .reference ? "nil, or compare the objects in 'where'" : article }

    var article: String {
        switch self {
        case .integer: "an integer"
        case .double: "a double"
        case .decimal: "a decimal"
        case .boolean: "a boolean"
        case .date: "a date"
        case .text: "a string"
        case .blob: "binary data"
        case .reference: "an object"
        }
    }
}
