import CofferStorage

/// Values that are computed, and conditions on texts.
extension RandomRequest {
    typealias Operand = (expression: RowExpression, kind: ColumnKind)

    /// An expression, now and then a computed one.
    func operand(_ entity: Int, _ random: inout SeededGenerator) -> Operand {
        guard computes, random.chance(40) else { return expression(entity, 2, &random) }
        let computed: Operand? =
            switch random.int(0...6) {
            case 0, 1, 2: function(entity, &random)
            case 3: conditional(entity, &random)
            case 4: aggregate(of: entity, &random)
            default: outer.flatMap { outer(entity: $0, &random) }
            }
        return computed ?? expression(entity, 2, &random)
    }

    /// A condition on two texts; nil when there is no text.
    func text(_ entity: Int, _ random: inout SeededGenerator) -> RowPredicate? {
        guard let left = find(entity, &random, { $0 == .text }) else { return nil }
        let relation = random.pick(TextRelation.allCases)
        let options = TextOptions(rawValue: UInt8(random.int(0...7)))
        if relation != .matches, random.chance(25), let right = find(entity, &random, { $0 == .text }) {
            return .text(left.expression, relation, right.expression, options)
        }
        let patterns =
            relation == .matches ? [".*", "[a-z]+", "A?", "é|a."] : ["a", "A", "?", "*", "a*", "*b?", "é", "", "n"]
        return .text(left.expression, relation, .value(.text(random.pick(patterns))), options)
    }

    private func find(
        _ entity: Int, _ random: inout SeededGenerator, _ isWanted: (ColumnKind) -> Bool
    ) -> Operand? {
        for _ in 0..<6 {
            let candidate = expression(entity, 2, &random)
            if isWanted(candidate.kind) { return candidate }
        }
        return nil
    }

    private func function(_ entity: Int, _ random: inout SeededGenerator) -> Operand? {
        let function = random.pick(ValueFunction.allCases)
        var arguments: [Operand] = []
        for _ in 0..<function.argumentCount {
            let argument = find(entity, &random) { kind in
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

    private func conditional(_ entity: Int, _ random: inout SeededGenerator) -> Operand? {
        let first = expression(entity, 2, &random)
        guard first.kind != .reference, let second = find(entity, &random, { $0 == first.kind }) else { return nil }
        return (.conditional(predicate(entity, 1, &random), first.expression, second.expression), first.kind)
    }

    private func aggregate(of entity: Int, _ random: inout SeededGenerator) -> Operand? {
        let candidates = layout.entities[entity].relationships.filter { layout.relationships[$0].isToMany }
        guard !candidates.isEmpty else { return nil }
        let relationship = random.pick(candidates)
        var inner = self
        inner.outer = entity
        let destination = layout.relationships[relationship].destination
        let (value, kind) = inner.expression(destination, 1, &random)
        // The sum of doubles depends on their order, which a store is free to choose here.
        let all: [ValueRequest.Aggregate] =
            kind == .integer || kind == .decimal
            ? [.count, .sum, .average, .minimum, .maximum] : [.count, .minimum, .maximum]
        let aggregate = random.pick(all)
        let condition = inner.predicate(destination, 1, &random)
        let result = RowExpression.aggregate(aggregate, value, from: [], relationship: relationship, where: condition)
        return (result, layout.kind(of: result) ?? kind)
    }

    private func outer(entity: Int, _ random: inout SeededGenerator) -> Operand {
        let (value, kind) = expression(entity, 1, &random)
        return (.outer(value), kind)
    }
}
