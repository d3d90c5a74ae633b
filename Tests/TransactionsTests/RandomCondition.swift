import TestSupport

/// Writes conditions on pets that a store and a dictionary can evaluate.
///
/// It omits conditions with different results: a null in a list, numbers beyond 64 bits together with decimals, and
/// calculations with the sum of no values, because only a store knows the type of that sum.
struct RandomCondition {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func condition(_ depth: Int) -> String {
        guard depth > 0 else { return comparison(0) }
        switch random.below(7) {
        case 0: return "(\(condition(depth - 1)) AND \(condition(depth - 1)))"
        case 1: return "(\(condition(depth - 1)) OR \(condition(depth - 1)))"
        case 2: return "NOT (\(condition(depth - 1)))"
        default: return comparison(depth)
        }
    }

    private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }

    private mutating func comparison(_ depth: Int) -> String {
        switch random.below(11) {
        case 0, 1: return "\(number(depth)) \(relation()) \(number(depth))"
        case 2: return "\(text(depth)) \(relation())\(options()) \(text(depth))"
        case 3:
            return "\(text(depth)) \(pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"]))\(options()) \(text(depth))"
        case 4: return "\(text(depth)) MATCHES\(options()) \(pick(["'[A-C].*'", "'.?d.?'", "'(a|ad|ADA)'"]))"
        case 5: return "\(number(depth)) BETWEEN {\(number(depth)), \(number(depth))}"
        case 6:
            let value = number(depth)
            return "(\(value) != nil AND \(value) IN {\(number(depth)), \(number(0)), \(number(0))})"
        case 7:
            let value = text(depth)
            return "(\(value) != nil AND \(value) IN\(options()) {\(text(depth)), \(text(0))})"
        case 8:
            let value = pick(["friends.age", "friends.weight", "friends.price", "friends.friends.age"])
            return "\(quantifier()) \(value) \(relation()) \(number(depth))"
        case 9:
            let value = pick(["friends.name", "friends.species", "friends.master.city", "friends.friends.name"])
            return "\(quantifier()) \(value) \(pick(["==", "!=", "<", "CONTAINS"]))\(options()) \(text(depth))"
        default:
            return pick([
                "\(number(depth)) == nil", "\(text(depth)) != nil", "born == nil", "born < now()",
                "born >= CAST(60, 'NSDate')", "friends[SIZE] > 1", "name IN friends.name",
                "friends.@sum.weight \(relation()) \(number(depth))", "sum:(friends.price) > \(number(depth))",
            ])
        }
    }

    private mutating func number(_ depth: Int) -> String {
        guard depth > 0, random.chance(60) else {
            return random.chance(50)
                ? integer(0)
                : pick([
                    "weight", "price", "0.5", "2.5", "-1e3", "CAST('0.1', 'NSDecimalNumber')", "friends.@avg.age",
                    "@max.friends.price", "min:(friends.weight)", "friends.@avg.price",
                ])
        }
        switch random.below(8) {
        case 0: return integer(depth)
        case 1:
            return
                "\(pick(["abs:", "floor:", "ceiling:", "trunc:", "sqrt:", "exp:", "ln:", "-"]))(\(number(depth - 1)))"
        case 2: return "modulus:by:(\(number(depth - 1)), \(number(depth - 1)))"
        case 3: return "SUBQUERY(friends, $f, $f.age \(relation()) \(number(0))).@\(pick(["avg", "min", "max"])).weight"
        case 4: return "(\(number(depth - 1)) ** \(pick(["2", "0.5", "(3 - 1)"])))"
        default: return "(\(number(depth - 1)) \(pick(["+", "-", "*", "/"])) \(number(depth - 1)))"
        }
    }

    private mutating func integer(_ depth: Int) -> String {
        guard depth > 0, random.chance(60) else {
            return pick([
                "age", "age", "friends.@count", "friends.@sum.age", "friends.@max.age", "master.age", "0", "1", "3",
                "-7",
                "10",
            ])
        }
        switch random.below(5) {
        case 0: return "length:(\(text(depth - 1)))"
        case 1: return "TERNARY(\(condition(depth - 1)), \(pick(["age", "3", "nil"])), \(pick(["age", "1", "-2"])))"
        case 2: return "SUBQUERY(friends, $f, $f.name \(relation())\(options()) \(text(0)))[SIZE]"
        case 3: return "~(\(pick(["age", "friends.@count", "12"])))"
        default:
            return
                "(\(pick(["age", "friends.@count", "12"])) \(pick(["|", "&", "^", "<<", ">>"])) \(pick(["age", "3", "-1"])))"
        }
    }

    private mutating func text(_ depth: Int) -> String {
        guard depth > 0, random.chance(50) else {
            return pick(["name", "species", "master.name", "master.city", "'Ada'", "'d'", "'ÁDA'", "''", "'?[a-o]*'"])
        }
        switch random.below(4) {
        case 0: return "uppercase:(\(text(depth - 1)))"
        case 1: return "lowercase:(\(text(depth - 1)))"
        case 2: return "canonical:(\(text(depth - 1)))"
        default: return "TERNARY(\(condition(depth - 1)), \(text(0)), \(text(0)))"
        }
    }

    private mutating func relation() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

    private mutating func options() -> String { pick(["", "", "[c]", "[d]", "[cd]", "[n]"]) }

    private mutating func quantifier() -> String { pick(["ANY", "ALL", "NONE"]) }
}
