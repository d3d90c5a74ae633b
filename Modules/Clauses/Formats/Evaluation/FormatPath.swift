import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Evaluates key paths of format strings: keys, and operators such as `@count`.
enum FormatPath {
    static func value(
        of keys: ArraySlice<String>, in base: FormatOperand
    ) throws(FormatEvaluationError) -> FormatOperand {
        guard let key = keys.first else { return base }
        let rest = keys.dropFirst()
        if key.hasPrefix("@") { return try value(ofOperator: key, rest, in: base) }
        return try value(of: rest, in: try value(of: key, in: base))
    }

    private static func value(of key: String, in base: FormatOperand) throws(FormatEvaluationError) -> FormatOperand {
        if case .keyed(let entries) = base, let value = entries[key] { return value }
        if key.lowercased() == "self" { return base }
        switch base {
        case .keyed, .value(.null): return .null
        case .list(let members):
            // The members of a member's collection are members of the result.
            var values: [FormatOperand] = []
            for member in members {
                let value = try self.value(of: key, in: member)
                if case .list(let inner) = value { values += inner } else { values.append(value) }
            }
            return .list(values)
        case .value(let value):
            if key == "length", value.kind == .text { return .value(ValueFunction.length.result([value])) }
            throw FormatEvaluationError("There is no key '\(key)' in \(base.kind).")
        }
    }

    private static func value(
        ofOperator key: String, _ keys: ArraySlice<String>, in base: FormatOperand
    ) throws(FormatEvaluationError) -> FormatOperand {
        if base.isNull { return .null }
        switch (key, base) {
        case ("@allKeys", .keyed(let entries)):
            return try value(of: keys, in: .list(entries.keys.sorted().map { .value(.text($0)) }))
        case ("@allValues", .keyed): return try value(of: keys, in: .list(base.members ?? []))
        default: break
        }
        // For a path such as `items.@sum.price`, the members are the items. For `@sum.items.price`, the object is the
        // only member.
        let members = if case .keyed = base, !keys.isEmpty { [base] } else { try base.members(for: "'\(key)'") }
        switch key {
        case "@count": return try value(of: keys, in: .value(.integer(Int64(members.count))))
        case "@firstObject": return try value(of: keys, in: members.first ?? .null)
        case "@lastObject": return try value(of: keys, in: members.last ?? .null)
        default: break
        }
        guard case .list(let values) = try value(of: keys, in: .list(members)) else {
            throw FormatEvaluationError("'\(key)' must be followed by a key with many values.")
        }
        switch key {
        case "@unionOfObjects", "@unionOfArrays", "@unionOfSets": return .list(values)
        case "@distinctUnionOfObjects", "@distinctUnionOfArrays", "@distinctUnionOfSets":
            return .list(FormatComputation.distinct(values))
        default:
            guard let aggregate = ValueRequest.Aggregate(pathKey: key) else {
                throw FormatEvaluationError("There is no operator '\(key)'.")
            }
            return try FormatComputation.value(aggregate, of: values)
        }
    }
}
