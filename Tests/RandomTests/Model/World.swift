/// The expected content of a store or a transaction in plain values: the naive model of the random run.
///
/// It shares no code with the library. The number with which an object was created identifies the object.
struct World: Equatable {
    enum Kind: CaseIterable {
        case item
        case special
        case box
        case shelf
        case tag

        var isItem: Bool { self == .item || self == .special }
    }

    struct Thing: Equatable {
        var kind: Kind
        var number: Int
        var value = 0
        /// The title of an item, or the name of a tag.
        var title: String?
        var mark: Int?
        var extra = 0
    }

    enum ToOne: String, CaseIterable {
        case parent
        case partner
        case partnerOf
        case mentor
        case box
        case shelf

        /// The inverse to-many relationship; nil if the inverse is a to-one relationship.
        var members: ToMany? {
            switch self {
            case .parent: .children
            case .mentor: .pupils
            case .box: .boxed
            case .shelf: .shelved
            case .partner, .partnerOf: nil
            }
        }

        /// The inverse to-one relationship.
        var inverse: ToOne {
            switch self {
            case .partner: .partnerOf
            case .partnerOf: .partner
            default: self
            }
        }

        var destination: Kind { self == .box ? .box : self == .shelf ? .shelf : .item }
    }

    enum ToMany: String, CaseIterable {
        case children
        case boxed
        case shelved
        case tags
        case tagged
        case friends
        case friendOf
        case pupils
        case likes
        case likedBy

        var isOrdered: Bool { [.children, .tags, .likes, .likedBy].contains(self) }

        /// The inverse to-one relationship; nil if the inverse is a to-many relationship.
        var reference: ToOne? {
            switch self {
            case .children: .parent
            case .pupils: .mentor
            case .boxed: .box
            case .shelved: .shelf
            default: nil
            }
        }

        /// The inverse to-many relationship.
        var inverse: ToMany {
            switch self {
            case .tags: .tagged
            case .tagged: .tags
            case .friends: .friendOf
            case .friendOf: .friends
            case .likes: .likedBy
            case .likedBy: .likes
            default: self
            }
        }

        var owner: Kind { self == .boxed ? .box : self == .shelved ? .shelf : self == .tagged ? .tag : .item }
        var destination: Kind { self == .tags ? .tag : .item }
        /// The relationship's name in the store.
        var name: String { self == .boxed || self == .shelved ? "items" : rawValue }
    }

    /// One property of one object.
    struct Property: Hashable {
        let id: Int
        let name: String
    }

    var things: [Int: Thing] = [:]
    /// The to-one relationships by their owners, without relationships that are nil.
    var ones: [ToOne: [Int: Int]] = [:]
    /// The to-many relationships by their owners, without empty relationships; unordered members are sorted.
    var manies: [ToMany: [Int: [Int]]] = [:]
    /// The items that were on a shelf when the shelf was deleted, which its delete rule forbids.
    var denials: [Int: [Int]] = [:]
    /// The properties that were set since the last save, also to their former values.
    ///
    /// They stay in this set when others change the same properties.
    var touched: Set<Property> = []

    /// The stored references that delete rules set to nil, and the objects that they referenced.
    var nullified: [Property: Int] = [:]
    /// The items that were deleted with the boxes that they are stored in.
    var cascades: [Int: Int] = [:]

    func one(_ relationship: ToOne, _ id: Int) -> Int? { ones[relationship]?[id] }
    func many(_ relationship: ToMany, _ id: Int) -> [Int] { manies[relationship]?[id] ?? [] }

    /// The objects whose places an operation may set without a visible change: the children, and their parent.
    func placed(by operation: Operation) -> Set<Int> {
        switch operation {
        case .relateMany(let parent, .children, let children): Set(children + many(.children, parent) + [parent])
        case .relate(let child, .parent, let parent): Set([child, parent, one(.parent, child)].compactMap { $0 })
        default: []
        }
    }

    func ids(_ kind: Kind) -> [Int] {
        things.filter { kind == .item ? $0.value.kind.isItem : $0.value.kind == kind }.keys.sorted()
    }

    mutating func set(_ relationship: ToOne, _ id: Int, _ target: Int?) {
        ones[relationship, default: [:]][id] = target
        if ones[relationship] == [:] { ones[relationship] = nil }
    }

    mutating func set(_ relationship: ToMany, _ id: Int, _ members: [Int]) {
        manies[relationship, default: [:]][id] =
            members.isEmpty ? nil : relationship.isOrdered ? members : members.sorted()
        if manies[relationship] == [:] { manies[relationship] = nil }
    }

    /// Whether a deleted shelf still has items.
    var isDenied: Bool {
        denials.contains { shelf, items in items.contains { things[$0] != nil && one(.shelf, $0) == shelf } }
    }

    /// Whether a shelf that was deleted since an earlier world still has items.
    func denies(since earlier: World) -> Bool {
        denials.contains { shelf, items in
            earlier.things[shelf] != nil && items.contains { things[$0] != nil && one(.shelf, $0) == shelf }
        }
    }

    /// The visible objects, without references to deleted objects.
    var visible: World {
        var result = self
        (result.denials, result.touched, result.nullified, result.cascades) = ([:], [], [:], [:])
        for (relationship, targets) in ones {
            for (id, target) in targets where things[id] == nil || things[target] == nil {
                result.set(relationship, id, nil)
            }
        }
        for (relationship, owners) in manies {
            for (id, members) in owners {
                guard things[id] != nil else {
                    result.set(relationship, id, [])
                    continue
                }
                if members.contains(where: { things[$0] == nil }) {
                    result.set(relationship, id, members.filter { things[$0] != nil })
                }
            }
        }
        return result
    }
}
