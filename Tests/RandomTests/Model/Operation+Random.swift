/// Random numbers that are the same for the same seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(_ end: Int) -> Int { Int(next() >> 1) % end }
    mutating func isOne(in count: Int) -> Bool { next(count) == 0 }
    mutating func pick<Element>(_ list: [Element]) -> Element? { list.isEmpty ? nil : list[next(list.count)] }
}

extension Operation {
    /// Returns a random change of a small world, in which changes often concern the same objects.
    ///
    /// - Parameter newID: returns the number of a new object.
    static func random(_ world: World, saved: World, _ dice: inout Dice, newID: () -> Int) -> Operation {
        let items = world.ids(.item)
        if items.count < 3 { return .create(newID(), dice.isOne(in: 4) ? .special : .item) }
        let item = items[dice.next(items.count)]
        switch dice.next(24) {
        case 0, 1:
            let kind: World.Kind = [.item, .item, .special, .box, .shelf, .tag][dice.next(6)]
            let limit = kind.isItem ? 12 : 4
            guard world.ids(kind.isItem ? .item : kind).count < limit else {
                return .delete(world.ids(kind.isItem ? .item : kind)[dice.next(limit)])
            }
            return .create(newID(), kind)
        case 2: return .delete(item)
        case 3:
            return dice.isOne(in: 3)
                ? dice.pick(world.ids([.box, .shelf, .tag][dice.next(3)])).map(Operation.delete)
                    ?? .set(item, .value, 1)
                : .set(item, .mark, dice.isOne(in: 3) ? nil : dice.next(4))
        case 4, 5: return .set(item, .value, dice.next(10))
        case 6: return .set(item, .title, dice.isOne(in: 4) ? nil : dice.next(5))
        case 7:
            if let special = dice.pick(world.ids(.special)) { return .set(special, .extra, dice.next(4)) }
            return .create(newID(), .special)
        case 8:
            let owner = dice.pick(world.ids([.box, .shelf, .tag][dice.next(3)])) ?? item
            return .set(owner, .value, dice.next(10))
        case 9: return name(world, saved, &dice) ?? .set(item, .value, dice.next(10))
        case 10..<15:
            let relationship = World.ToOne.allCases[dice.next(World.ToOne.allCases.count)]
            let target = dice.isOne(in: 4) ? nil : dice.pick(world.ids(relationship.destination))
            return .relate(item, relationship, target)
        default:
            let relationship = World.ToMany.allCases[dice.next(World.ToMany.allCases.count)]
            guard let owner = dice.pick(world.ids(relationship.owner)) else { return .set(item, .value, 3) }
            let all = world.ids(relationship.destination)
            return .relateMany(owner, relationship, changed(world.many(relationship, owner), all, &dice))
        }
    }

    /// Returns an operation that gives a tag an unused name or no name; nil if the name is in use.
    private static func name(_ world: World, _ saved: World, _ dice: inout Dice) -> Operation? {
        guard let tag = dice.pick(world.ids(.tag)) else { return nil }
        if dice.isOne(in: 3) { return .set(tag, .title, nil) }
        let number = dice.next(5)
        let name = World.title(number)
        let isTaken = [world, saved].contains { $0.things.contains { $0.value.kind == .tag && $0.value.title == name } }
        return isTaken ? nil : .set(tag, .title, number)
    }

    /// Returns members that differ a little from the old members, or a random selection.
    private static func changed(_ old: [Int], _ all: [Int], _ dice: inout Dice) -> [Int] {
        var new = old
        switch dice.next(5) {
        case 0, 1:
            guard let added = dice.pick(all.filter { !old.contains($0) }) else { break }
            new.insert(added, at: dice.isOne(in: 2) ? new.count : dice.next(new.count + 1))
        case 2: if !old.isEmpty { new.remove(at: dice.next(old.count)) }
        case 3:
            guard old.count > 1 else { break }
            let moved = new.remove(at: dice.next(old.count))
            new.insert(moved, at: dice.next(new.count + 1))
        default: new = Array(all.shuffled(using: &dice).prefix(dice.next(5)))
        }
        return new
    }
}
