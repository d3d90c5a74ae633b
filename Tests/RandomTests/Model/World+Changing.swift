/// One change of a world.
enum Operation: CustomStringConvertible {
    enum Attribute: CaseIterable {
        case value
        case title
        case mark
        case extra
    }

    case create(Int, World.Kind)
    case set(Int, Attribute, Int?)
    case relate(Int, World.ToOne, Int?)
    case relateMany(Int, World.ToMany, [Int])
    case delete(Int)

    var description: String {
        switch self {
        case .create(let id, let kind): "create \(kind) \(id)"
        case .set(let id, let attribute, let value): "\(id).\(attribute) = \(value.map(String.init) ?? "nil")"
        case .relate(let id, let relationship, let target):
            "\(id).\(relationship) = \(target.map(String.init) ?? "nil")"
        case .relateMany(let id, let relationship, let members): "\(id).\(relationship) = \(members)"
        case .delete(let id): "delete \(id)"
        }
    }
}

extension World {
    /// Returns the title or name that a number represents.
    static func title(_ number: Int?) -> String? { number.map { ["ant", "Bee", "cat", "Dog", "éa"][$0 % 5] } }

    /// - Parameter saved: the world before the transaction.
    mutating func apply(_ operation: Operation, saved: World) {
        if case .set(let id, let attribute, _) = operation { touched.insert(.init(id: id, name: "\(attribute)")) }
        switch operation {
        case .create(let id, let kind): things[id] = Thing(kind: kind, number: id, extra: kind == .special ? 7 : 0)
        case .set(let id, .value, let value): things[id]?.value = value ?? 0
        case .set(let id, .title, let number): things[id]?.title = Self.title(number)
        case .set(let id, .mark, let mark): things[id]?.mark = mark
        case .set(let id, .extra, let extra): things[id]?.extra = extra ?? 0
        case .relate(let id, let relationship, let target): relate(id, relationship, target, saved: saved)
        case .relateMany(let id, let relationship, let members): relate(id, relationship, members)
        case .delete(let id): delete(id, saved: saved)
        }
    }

    mutating func relate(_ id: Int, _ relationship: ToOne, _ target: Int?, saved: World? = nil) {
        let old = one(relationship, id)
        guard old != target else { return }
        touch(id, relationship)
        if let members = relationship.members {
            if let old { set(members, old, many(members, old).filter { $0 != id }) }
            if let target { set(members, target, many(members, target) + [id]) }
        } else {
            let inverse = relationship.inverse
            if let old, one(inverse, old) == id {
                set(inverse, old, nil)
                touch(old, inverse)
                if saved?.one(inverse, old) == id { nullified[.init(id: old, name: inverse.rawValue)] = id }
            }
            if let target {
                if let other = one(inverse, target), one(relationship, other) == target {
                    set(relationship, other, nil)
                    touch(other, relationship)
                    if saved?.one(relationship, other) == target {
                        nullified[.init(id: other, name: relationship.rawValue)] = target
                    }
                }
                set(inverse, target, id)
                touch(target, inverse)
            }
        }
        set(relationship, id, target)
    }

    private mutating func touch(_ id: Int, _ relationship: ToOne) {
        let property = Property(id: id, name: relationship.rawValue)
        touched.insert(property)
        nullified[property] = nil
    }

    mutating func relate(_ id: Int, _ relationship: ToMany, _ members: [Int]) {
        let old = many(relationship, id)
        for member in old where !members.contains(member) {
            if let reference = relationship.reference {
                relate(member, reference, nil)
            } else {
                set(relationship.inverse, member, many(relationship.inverse, member).filter { $0 != id })
            }
        }
        for member in members where !old.contains(member) {
            if let reference = relationship.reference {
                relate(member, reference, id)
            } else {
                set(relationship.inverse, member, many(relationship.inverse, member).filter { $0 != id } + [id])
            }
        }
        set(relationship, id, members)
    }

    private mutating func delete(_ id: Int, saved: World) {
        guard let thing = things[id] else { return }
        switch thing.kind {
        case .box:
            let items = many(.boxed, id)
            nullify(id, saved: saved)
            for item in items {
                if things[item] != nil, saved.one(.box, item) == id { cascades[item] = id }
                delete(item, saved: saved)
            }
        case .shelf where saved.things[id] != nil:
            // The items stay on the shelf until the commit, which fails if one of the items is still there.
            if !many(.shelved, id).isEmpty { denials[id] = many(.shelved, id) }
            things[id] = nil
            set(.shelved, id, [])
        default: nullify(id, saved: saved)
        }
    }

    /// Removes an object, and records which stored references a delete rule has set to nil.
    private mutating func nullify(_ id: Int, saved: World) {
        var references: [Property] = []
        for relationship in ToOne.allCases {
            for member in relationship.members.map({ many($0, id) })
                ?? [one(relationship.inverse, id)].compactMap({ $0 })
            where things[member] != nil && saved.one(relationship, member) == id {
                references.append(.init(id: member, name: relationship.rawValue))
            }
        }
        forget(id)
        for property in references { nullified[property] = id }
    }

    /// Removes an object and all references to it.
    mutating func forget(_ id: Int) {
        for relationship in ToOne.allCases { relate(id, relationship, nil) }
        for relationship in ToMany.allCases { relate(id, relationship, []) }
        things[id] = nil
    }
}
