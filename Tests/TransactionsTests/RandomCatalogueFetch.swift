import Coffer
import CofferStorage
import TestSupport

/// A random fetch of items, as clauses for a transaction and as closures for the model.
struct RandomCatalogueFetch {
    typealias Item = CatalogueModel.Item

    struct Condition {
        var text: String
        var isTrue: (Item, CatalogueModel) -> Bool
    }

    struct Order {
        var key: String
        var isAscending: Bool
        /// Whether an item comes before another one; nil for equal values.
        var isBefore: (Item, Item, CatalogueModel) -> Bool?
    }

    var condition: Condition
    var order: [Order] = []
    var offset = 0
    var limit: Int?
    var isSpecial = false
    var includesSubentities = true

    init(_ random: inout SeededGenerator) {
        condition = Self.condition(random.below(3), &random)
        for _ in 0..<random.below(3) { order.append(Self.order(&random)) }
        if random.chance(50) { limit = random.below(6) + 1 }
        if random.chance(25) { offset = random.below(5) }
        isSpecial = random.chance(15)
        includesSubentities = isSpecial || random.chance(85)
    }

    /// A description of the fetch for failure messages.
    var text: String {
        "\(isSpecial ? "specials" : "items") \(includesSubentities) where \(condition.text) order "
            + order.map { "\($0.key) \($0.isAscending)" }.joined(separator: ", ") + " \(offset) \(limit ?? -1)"
    }

    func clauses<O: Catalogue.Item>(_ type: O.Type) -> [any FetchClause] {
        var clauses: [any FetchClause] = [Where<O>(condition.text)]
        if !order.isEmpty {
            let keys = order.map { order -> OrderBy<O>.SortKey in
                order.isAscending ? .ascending(order.key) : .descending(order.key)
            }
            clauses.append(OrderBy<O>(keys))
        }
        let (offset, limit, includesSubentities) = (offset, limit, includesSubentities)
        clauses.append(
            Tweak {
                $0.fetchOffset = offset
                if let limit { $0.fetchLimit = limit }
                $0.includesSubentities = includesSubentities
            })
        return clauses
    }

    // MARK: Conditions

    private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> Condition {
        guard depth > 0 else { return leaf(&random) }
        let left = condition(depth - 1, &random)
        switch random.below(5) {
        case 0, 1:
            let right = condition(depth - 1, &random)
            return Condition(text: "(\(left.text) AND \(right.text))") { left.isTrue($0, $1) && right.isTrue($0, $1) }
        case 2:
            let right = condition(depth - 1, &random)
            return Condition(text: "(\(left.text) OR \(right.text))") { left.isTrue($0, $1) || right.isTrue($0, $1) }
        case 3: return Condition(text: "NOT (\(left.text))") { !left.isTrue($0, $1) }
        default: return left
        }
    }

    private static func leaf(_ random: inout SeededGenerator) -> Condition {
        random.chance(55) ? ownLeaf(&random) : relatedLeaf(&random)
    }

    private static func comparison(_ random: inout SeededGenerator) -> (text: String, holds: (Int, Int) -> Bool) {
        switch random.below(6) {
        case 0: ("==", { $0 == $1 })
        case 1: ("<", { $0 < $1 })
        case 2: ("<=", { $0 <= $1 })
        case 3: (">", { $0 > $1 })
        case 4: (">=", { $0 >= $1 })
        default: ("!=", { $0 != $1 })
        }
    }

    private static func ownLeaf(_ random: inout SeededGenerator) -> Condition {
        switch random.below(10) {
        case 0, 1:
            let (text, holds) = comparison(&random)
            let value = random.below(60)
            return Condition(text: "number \(text) \(value)") { item, _ in holds(item.number, value) }
        case 2:
            let (low, high) = (random.below(60), random.below(60))
            return Condition(text: "number BETWEEN {\(low), \(high)}") { item, _ in
                item.number >= low && item.number <= high
            }
        case 3:
            let value = random.below(4)
            return Condition(text: "grade == \(value)") { item, _ in item.grade == value }
        case 4:
            let code = (random.chance(50) ? "c" : "a-common-beginning-") + "\(random.below(30))"
            return Condition(text: "code == '\(code)'") { item, _ in item.code == code }
        case 5:
            return Condition(text: "code == nil") { item, _ in item.code == nil }
        case 6:
            let prefix = ["c", "c1", "a-", "a-common-beginning-2", "x"][random.below(5)]
            return Condition(text: "code BEGINSWITH '\(prefix)'") { item, _ in item.code?.hasPrefix(prefix) ?? false }
        case 7:
            let digit = "\(random.below(10))"
            return Condition(text: "code CONTAINS '\(digit)'") { item, _ in item.code?.contains(digit) ?? false }
        case 8:
            let codes = (0..<4).map { _ in "c\(random.below(30))" }
            let list = codes.map { "'\($0)'" }.joined(separator: ", ")
            return Condition(text: "code IN {\(list)}") { item, _ in item.code.map(codes.contains) ?? false }
        default:
            let value = Double(random.below(40)) / 4 - 3
            return random.chance(50)
                ? Condition(text: "weight < \(value)") { item, _ in item.weight < value }
                : Condition(text: "weight >= \(value)") { item, _ in item.weight >= value }
        }
    }

    private static func relatedLeaf(_ random: inout SeededGenerator) -> Condition {
        let (name, tag) = ("n\(random.below(9))", "t\(random.below(6))")
        switch random.below(15) {
        case 0, 1: return Condition(text: "album.name == '\(name)'") { item, all in all.name(ofAlbumOf: item) == name }
        case 2: return Condition(text: "album.name != '\(name)'") { item, all in all.name(ofAlbumOf: item) != name }
        case 3: return Condition(text: "album == nil") { item, all in item.album == nil }
        case 4:
            let year = random.below(20)
            return Condition(text: "album.year > \(year)") { item, all in
                item.album.flatMap { all.albums[$0] }.map { $0.year > year } ?? false
            }
        case 5:
            let artist = "a\(random.below(4))"
            return Condition(text: "album.artist.name == '\(artist)'") { item, all in all.artist(of: item) == artist }
        case 6, 7:
            return Condition(text: "ANY tags.name == '\(tag)'") { item, all in
                item.tags.contains { all.tags[$0] == tag }
            }
        case 8, 9:
            let (text, holds) = comparison(&random)
            let count = random.below(3)
            return Condition(text: "tags.@count \(text) \(count)") { item, _ in holds(item.tags.count, count) }
        case 10:
            let (text, holds) = comparison(&random)
            let count = random.below(3)
            return Condition(text: "SUBQUERY(tags, $t, $t.name == '\(tag)').@count \(text) \(count)") { item, all in
                holds(item.tags.count { all.tags[$0] == tag }, count)
            }
        case 11:
            let (text, holds) = comparison(&random)
            let count = random.below(4)
            return Condition(text: "album.items.@count \(text) \(count)") { item, all in
                all.items(besides: item).map { holds($0.count, count) } ?? (text == "!=")
            }
        case 12:
            let (text, holds) = comparison(&random)
            let sum = random.below(120)
            return Condition(text: "album.items.@sum.number \(text) \(sum)") { item, all in
                all.items(besides: item).map { holds($0.reduce(0) { $0 + $1.number }, sum) } ?? (text == "!=")
            }
        case 13:
            let grade = random.below(4)
            return Condition(text: "album.items.@max.grade < \(grade)") { item, all in
                all.items(besides: item).map { $0.allSatisfy { $0.grade < grade } } ?? false
            }
        default:
            let number = random.below(60)
            return Condition(text: "ANY album.items.number == \(number)") { item, all in
                item.album.map { album in all.items.values.contains { $0.album == album && $0.number == number } }
                    ?? false
            }
        }
    }

    // MARK: Orders

    private static func order(_ random: inout SeededGenerator) -> Order {
        let isAscending = random.chance(50)
        switch random.below(6) {
        case 0: return order("number", isAscending) { item, _ in item.number }
        case 1: return order("grade", isAscending) { item, _ in item.grade }
        case 2: return order("code", isAscending) { item, _ in item.code }
        case 3: return order("weight", isAscending) { item, _ in item.weight }
        case 4: return order("album.artist.name", isAscending) { item, all in all.artist(of: item) }
        default: return order("album.name", isAscending) { item, all in all.name(ofAlbumOf: item) }
        }
    }

    /// Nil comes first.
    private static func order<Value: Comparable>(
        _ key: String, _ isAscending: Bool, _ value: @escaping (Item, CatalogueModel) -> Value?
    ) -> Order {
        Order(key: key, isAscending: isAscending) { left, right, all in
            switch (value(left, all), value(right, all)) {
            case (nil, nil): nil
            case (nil, _?): isAscending
            case (_?, nil): !isAscending
            case (let left?, let right?): left == right ? nil : (left < right) == isAscending
            }
        }
    }
}
