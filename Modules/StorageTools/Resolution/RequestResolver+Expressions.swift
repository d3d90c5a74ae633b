import CofferEvaluation
import CofferStorage

/// Resolves constants, functions, `TERNARY` and aggregates; checks the number and the kinds of their arguments.
extension RequestResolver {
    func operand(_ expression: QueryExpression, in scope: Scope) throws(StorageError) -> ResolvedPath {
        switch expression {
        case .value(let value): return try constant(value)
        case .now: return ResolvedPath(constant: scope.now)
        case .keyPath(let keyPath): return try path(keyPath, entity: scope.entity)
        case .evaluatedObject:
            var path = ResolvedPath(
                expression: .key, kind: .reference, objectRoot: layout.entities[scope.entity].root
            )
            path.name = "SELF"
            return path
        case .function(let function, let arguments): return try computed(function, arguments, in: scope)
        case .conditional(let condition, let first, let second):
            return try conditional(condition, first, second, in: scope)
        case .aggregate(let aggregate, let value, let path, let condition):
            return try self.aggregate(aggregate, value, path, condition, in: scope)
        case .outer(let inner): return try outer(inner, in: scope)
        case .values, .list: throw .invalidRequest("A list of values can only be the right side of IN and BETWEEN.")
        }
    }

    /// Returns the path of a constant; throws an error for NaN.
    func constant(_ value: Value) throws(StorageError) -> ResolvedPath {
        try value.requireNumber()
        return ResolvedPath(constant: value)
    }

    private func outer(_ expression: QueryExpression, in scope: Scope) throws(StorageError) -> ResolvedPath {
        guard let around = scope.around else { throw .invalidRequest("There is no enclosing object.") }
        var path = try operand(expression, in: around)
        guard !path.isCollection else {
            throw .invalidRequest("'\(path.name)' has many values, but belongs to an object outside of the SUBQUERY.")
        }
        if !path.isConstant { path.expression = .outer(path.expression) }
        return path
    }

    private func computed(
        _ function: ValueFunction, _ arguments: [QueryExpression], in scope: Scope
    ) throws(StorageError) -> ResolvedPath {
        guard arguments.count == function.argumentCount else {
            throw .invalidRequest("'\(function)' takes \(function.argumentCount) arguments, not \(arguments.count).")
        }
        var result = ResolvedPath(constant: .null)
        var paths: [ResolvedPath] = []
        for argument in arguments {
            let path = try operand(argument, in: scope)
            if let kind = path.kind, !function.takes(kind) {
                let wanted = function.isForText ? "strings" : (function.isForIntegers ? "integers" : "numbers")
                let name = path.name.isEmpty ? "the argument" : "'\(path.name)'"
                throw .invalidRequest("'\(function)' needs \(wanted), but \(name) is \(kind.article).")
            }
            if path.isCollection {
                guard !result.isCollection else {
                    throw .invalidRequest("'\(function)' has two arguments with many values. At most one is allowed.")
                }
                result.collections = path.collections
            }
            if result.name.isEmpty { result.name = path.name }
            paths.append(path)
        }
        result.kind = function.kind(of: paths.map(\.kind))
        let constants: [Value] = paths.compactMap { if case .value(let value) = $0.expression { value } else { nil } }
        if constants.count == paths.count { return ResolvedPath(constant: function.result(constants)) }
        result.expression = .function(
            function,
            paths.map { path in
                // Beside the values of related objects, a single value belongs to the enclosing object.
                guard !path.isCollection, !path.isConstant else { return path.expression }
                return result.collections.reduce(path.expression) { expression, _ in .outer(expression) }
            }
        )
        return result
    }

    private func conditional(
        _ condition: QueryPredicate, _ first: QueryExpression, _ second: QueryExpression, in scope: Scope
    ) throws(StorageError) -> ResolvedPath {
        let (first, second) = (try operand(first, in: scope), try operand(second, in: scope))
        guard !first.isCollection, !second.isCollection else {
            throw .invalidRequest("Both results of TERNARY must be single values.")
        }
        guard first.kind == second.kind || first.kind == nil || second.kind == nil,
            first.objectRoot == second.objectRoot, first.kind != .reference
        else {
            throw .invalidRequest("Both results of TERNARY must have the same type and must not be objects.")
        }
        let condition = try resolve(condition, in: scope)
        return ResolvedPath(
            expression: .conditional(condition, first.expression, second.expression), kind: first.kind ?? second.kind
        )
    }

    private func aggregate(
        _ aggregate: ValueRequest.Aggregate, _ value: QueryExpression, _ keyPath: KeyPathString,
        _ condition: QueryPredicate, in scope: Scope
    ) throws(StorageError) -> ResolvedPath {
        let path = try path(keyPath, entity: scope.entity)
        guard path.collections.count == 1, path.expression == .key, let collection = path.collections.first else {
            throw .invalidRequest(
                "'\(path.name)' must end with a to-many relationship, and must not contain another."
            )
        }
        let members = scope.entering(layout.relationships[collection.relationship].destination)
        let member = try operand(value, in: members)
        guard !member.isCollection else {
            throw .invalidRequest("'\(member.name)' has many values for each object of '\(path.name)'.")
        }
        try requireNumber(member, aggregate)
        var result = ResolvedPath(
            expression: .aggregate(
                aggregate, member.expression, from: collection.from, relationship: collection.relationship,
                where: try resolve(condition, in: members)
            ),
            kind: aggregate.kind(of: member.kind)
        )
        result.name = path.name
        return result
    }

    func requireNumber(_ path: ResolvedPath, _ aggregate: ValueRequest.Aggregate) throws(StorageError) {
        guard aggregate == .sum || aggregate == .average, let kind = path.kind, !kind.isNumeric else { return }
        throw .invalidRequest("'\(path.name)' is not a number and has no \(aggregate).")
    }
}
