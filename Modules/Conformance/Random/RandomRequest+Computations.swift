import CofferEvaluation
import CofferStorage

/// Generates random computed values and conditions on strings.
extension RandomRequest {
    typealias Operand = (expression: RowExpression, kind: ColumnKind)

    /// Returns an expression, sometimes a computed expression.
    func operand(_ entity: Int, depth: Int = 2, _ random: inout SeededGenerator) -> Operand {
        guard computes, depth > 0, random.chance(40) else { return expression(entity, 2, &random) }
        let computed: Operand? =
            switch random.int(0...6) {
            case 0, 1, 2: function(entity, depth, &random)
            case 3: conditional(entity, depth, &random)
            case 4: aggregate(of: entity, depth, &random)
            case 5: through(entity, depth, &random)
            default: outer.isEmpty ? nil : outer(&random)
            }
        return computed ?? expression(entity, 2, &random)
    }

    /// Returns a condition on two strings; nil if there is no string.
    func text(_ entity: Int, _ random: inout SeededGenerator) -> RowPredicate? {
        guard let left = find(entity, 2, &random, { $0 == .text }) else { return nil }
        let relation = random.pick(TextRelation.allCases)
        let options = TextOptions(rawValue: UInt8(random.int(0...7)))
        if relation != .matches, random.chance(25), let right = find(entity, 2, &random, { $0 == .text }) {
            return .text(left.expression, relation, right.expression, options)
        }
        let patterns =
            relation == .matches
            ? [".*", "[a-z]+", "A?", "é|a.", "(?i)É", "", "\\w+"] : ["a", "A", "?", "*", "a*", "*b?", "é", "", "n"]
        if relation != .matches, random.chance(40) {
            return .text(left.expression, relation, .value(constant(.text, &random)), options)
        }
        return .text(left.expression, relation, .value(.text(random.pick(patterns))), options)
    }

    func find(
        _ entity: Int, _ depth: Int, _ random: inout SeededGenerator, _ isWanted: (ColumnKind) -> Bool
    ) -> Operand? {
        for _ in 0..<6 {
            let candidate = operand(entity, depth: depth - 1, &random)
            if isWanted(candidate.kind) { return candidate }
        }
        return nil
    }

    private func function(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> Operand? {
        let function = random.pick(ValueFunction.allCases)
        var arguments: [Operand] = []
        for number in 0..<function.argumentCount {
            if number == 1, random.chance(40) {
                let kinds: [ColumnKind] = function.isForIntegers ? [.integer] : [.integer, .double, .decimal, .boolean]
                let kind = random.pick(kinds)
                arguments.append((.value(RandomValue.common(kind, isWild: isWild, &random)), kind))
                continue
            }
            let argument = find(entity, depth, &random) { kind in
                switch kind {
                case .text: function.isForText
                case .integer, .boolean: !function.isForText
                case .double, .decimal: !function.isForText && !function.isForIntegers
                default: false
                }
            }
            guard let argument else { return nil }
            arguments.append(argument)
        }
        return (.function(function, arguments.map(\.expression)), function.kind(of: arguments.map(\.kind)))
    }

    private func conditional(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> Operand? {
        let first = operand(entity, depth: depth - 1, &random)
        guard first.kind != .reference, let second = find(entity, depth, &random, { $0 == first.kind }) else {
            return nil
        }
        let condition = conditions(inside: depth, &random).predicate(entity, 1, &random)
        return (.conditional(condition, first.expression, second.expression), first.kind)
    }

    /// Returns the generator of conditions inside computed values; these conditions rarely compute values.
    private func conditions(inside depth: Int, _ random: inout SeededGenerator) -> RandomRequest {
        var inner = self
        inner.computes = depth > 1 && random.chance(50)
        return inner
    }

    private func through(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> Operand? {
        guard let step = relationship(of: entity, toMany: false, &random) else { return nil }
        let inner = operand(layout.relationships[step].destination, depth: depth - 1, &random)
        return (.through(relationship: step, inner.expression), inner.kind)
    }

    private func aggregate(of entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> Operand? {
        var path: [Int] = []
        var current = entity
        if random.chance(25), let step = relationship(of: current, toMany: false, &random) {
            path.append(step)
            current = layout.relationships[step].destination
        }
        guard let relationship = relationship(of: current, toMany: true, &random) else { return nil }
        var inner = self
        inner.outer.insert(entity, at: 0)
        let destination = layout.relationships[relationship].destination
        let (value, kind) = inner.operand(destination, depth: depth - 1, &random)
        // Without a sum of decimals that depends on their order, which a store is free to choose here.
        let all = aggregates(of: kind)
        let condition = inner.conditions(inside: depth, &random).predicate(destination, 1, &random)
        let result = RowExpression.aggregate(
            random.pick(all), value, from: path, relationship: relationship, where: condition)
        return (result, layout.kind(of: result) ?? kind)
    }

    /// Returns a value of an enclosing object, one or several levels out.
    private func outer(_ random: inout SeededGenerator) -> Operand {
        let level = random.int(0...min(outer.count - 1, 2))
        let (value, kind) = expression(outer[level], 1, &random)
        return ((0...level).reduce(value) { expression, _ in .outer(expression) }, kind)
    }
}
