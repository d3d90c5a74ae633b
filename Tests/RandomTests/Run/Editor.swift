import Coffer
import CofferStorage

/// An unsafe transaction, and what it should show.
final class Editor {
    let name: String
    let transaction: UnsafeDataTransaction
    let watched: WatchedStack
    let supportsUndo: Bool
    private let throwsOnConflict: Bool
    /// Its objects. All of them are held, with all relationships looked at, so that they stay as they were last seen.
    private(set) var cast: Cast
    /// What was stored when the transaction last looked.
    private(set) var base: World
    /// How often something had been saved then.
    private var baseCount: Int
    /// What it shows.
    private(set) var current: World
    private var past: [World] = []
    private var future: [World] = []
    private var isFlushed = true
    private let registry: Registry

    /// What was stored when it last looked, by how often it had changed.
    private var revisions: [Int: Int]
    private var placings: [Int: Int]
    /// Whether another stack has committed since it last looked.
    var isForeign = false
    private var lists: [any AnyWatchedList] = []
    /// What observers of the lists were told last, and how often something had been saved then.
    private var told: (world: World, saveCount: Int)
    /// The objects that referred to deleted objects then, which is not shown and cannot be saved.
    private var dangling: Set<Int> = []
    /// The objects whose links were changed since, and perhaps changed back.
    private var linkedNow: Set<Int> = []
    /// Whether they were told since of a commit that failed.
    private var hasFailed = false

    /// - Parameter listCount: how many lists of the transaction are watched.
    init(
        _ name: String, _ watched: WatchedStack, _ run: ObjectRun, supportsUndo: Bool, throwsOnConflict: Bool,
        listCount: Int, _ dice: inout Dice
    ) throws {
        (self.name, self.watched, self.supportsUndo, registry) = (name, watched, supportsUndo, run.registry)
        (base, current, revisions, placings) = (run.stored, run.stored, run.revisions, run.placings)
        (self.throwsOnConflict, baseCount) = (throwsOnConflict, run.saveCount)
        told = (run.stored, run.saveCount)
        transaction = watched.stack.beginUnsafe(
            supportsUndo: supportsUndo,
            conflictPolicy: throwsOnConflict ? .throwOnConflict : .lastWriterWinsPerProperty)
        cast = Cast(registry)
        try check("at the beginning")
        guard listCount > 0 else { return }
        // To a condition, a reference to an object that is deleted here is one until that is saved. Tags may be merged when
        // they are saved, and have other numbers then.
        var all = WatchedLists.make(transaction, registry).filter { $0.name != "by box" && $0.name != "tags" }
        for _ in 0..<listCount { lists.append(all.remove(at: dice.next(all.count))) }
    }

    /// Whether something has been saved since it last looked, even if that was taken back.
    ///
    /// A transaction whose lists are watched looks at its relationships anew then.
    func isStale(_ run: ObjectRun) -> Bool { baseCount != run.saveCount }

    /// Whether lists of the transaction are watched.
    var isWatched: Bool { !lists.isEmpty }

    /// Notes that a commit failed, and leaves what its observers were told of unchecked.
    func noteFailure() {
        hasFailed = true
        for list in lists { list.forgetTold() }
    }

    /// Checks what observers of the lists were told.
    ///
    /// - Parameter isComplete: whether they must have been told of all that differs from the last time.
    private func checkLists(_ run: ObjectRun, isComplete: Bool = true) throws {
        guard isWatched else { return }
        let world = current.visible
        // What others changed before may be told of again.
        let isAlone = run.saveCount == told.saveCount && !isRefreshed
        // They may be told of: their rows change, but nothing that they show.
        let hidden = dangling.union(current.dangling)
        dangling = current.dangling
        let commit = Commit(
            before: told.world, after: world, stack: watched, isExact: true,
            linked: isAlone ? linked.union(linkedNow).union(hidden) : Set(world.things.keys))
        for list in lists { try list.check(world, commits: isComplete && !hasFailed ? [commit] : nil) }
        (told, hasFailed, linkedNow) = ((world, run.saveCount), false, [])
    }

    /// Checks that the transaction shows the model, and holds all that it shows.
    func check(_ when: String) throws {
        let all = try Cast(transaction, registry)
        cast = all
        try all.world().expect(current.visible, "what \(name) shows \(when)")
    }

    func edit(_ operation: Operation) throws {
        let before = current
        try cast.apply(operation, in: transaction)
        placed.formUnion(current.placed(by: operation))
        current.apply(operation, saved: base)
        linkedNow.formUnion(before.linked(otherwiseThan: current))
        // To relate an object to what it is related to is no change; what others deleted is not looked at.
        if !current.shows(before) { isFlushed = false }
        if case .set = operation { isFlushed = false }
    }

    /// The objects whose links it had changed when it was refreshed, and may have changed as others did.
    private var relinked: Set<Int> = []

    /// Whether it was refreshed since its last commit. Orders that others changed too may have been left open.
    private(set) var isRefreshed = false

    /// The objects whose places it may have set since its last commit, and set back.
    private(set) var placed: Set<Int> = []

    /// The ordered relationships that it changed as others did. Their places are not in the model.
    private(set) var open: [World.ToMany: Set<Int>] = [:]

    /// The objects whose links it changed.
    var linked: Set<Int> {
        relinked.union(base.linked(otherwiseThan: current)).union(placed)
    }

    /// The objects whose children it may have moved, and moved back, while others changed their order.
    ///
    /// The places that it set stay, whatever the order was before. Others may have changed places and restored the order.
    func replaced(_ run: ObjectRun) -> Set<Int> {
        placed.filter { parent in
            let (known, stored) = (base.many(.children, parent), run.stored.many(.children, parent))
            return known != stored
                || known.contains { run.revisions[$0] != revisions[$0] || run.placings[$0] != placings[$0] }
        }
    }

    enum Conflict {
        case none
        /// One about places or relationships, of which the model does not know all.
        case possible
        case certain
    }

    /// Whether others have changed what it has changed.
    ///
    /// - Parameter saved: what would be stored. A reference to an object that is not part of it is not saved.
    func conflict(_ run: ObjectRun, _ saved: World) -> Conflict {
        let ids = Set(base.things.keys)
        var saving = current
        for id in ids {
            for relationship in World.ToOne.allCases {
                guard let target = current.one(relationship, id), target != base.one(relationship, id),
                    saved.things[target] == nil
                else { continue }
                saving.set(relationship, id, nil)
            }
        }
        let isChanged = current.visible != base.visible
        guard throwsOnConflict, isChanged || isRefreshed else { return .none }
        let changed = ids.filter { saving.hasOtherRow($0, than: base) && run.stored.things[$0] != nil }
        if changed.contains(where: { run.revisions[$0] != revisions[$0] }) { return .certain }
        // Places, deletion rules and the members of relationships that were set.
        let isMoved = run.revisions != revisions || run.placings != placings
        return isMoved || base != run.stored ? .possible : .none
    }

    func flush(_ run: ObjectRun) throws {
        transaction.flush()
        noteFlush()
        try checkLists(run)
    }

    private func noteFlush() {
        guard !isFlushed else { return }
        isFlushed = true
        past.append(current)
        future = []
    }

    func undo(_ run: ObjectRun) throws {
        noteFlush()
        transaction.undo()
        if let present = past.popLast() {
            future.append(present)
            current = past.last ?? base
            try adoptOrders()
        }
        try checkLists(run)
    }

    func redo(_ run: ObjectRun) throws {
        transaction.redo()
        if isFlushed, let next = future.popLast() {
            past.append(next)
            current = next
            try adoptOrders()
        }
        try checkLists(run)
    }

    /// Takes over the orders of a state that was put on what others have saved.
    private func adoptOrders() throws {
        guard isRefreshed else { return }
        let shown = try Cast(transaction, registry).world()
        for relationship in World.ToMany.allCases where relationship.isOrdered {
            current.adoptOrder(relationship, of: Set(current.things.keys), from: shown)
        }
        if !past.isEmpty { past[past.count - 1] = current }
    }

    /// - Parameter run: the run, where the lists are to be checked.
    func rollback(_ run: ObjectRun? = nil) throws {
        transaction.rollback()
        (current, past, future, isFlushed) = (base, [], [], true)
        if let run { try checkLists(run) }
    }

    /// Takes deletions by cascades for wanted, in all states.
    func confirmDeletions(of items: Set<Int>) {
        func confirm(_ world: inout World) { world.cascades = world.cascades.filter { !items.contains($0.key) } }
        confirm(&current)
        for index in past.indices { confirm(&past[index]) }
        for index in future.indices { confirm(&future[index]) }
    }

    /// Looks at what is stored now.
    func refresh(_ run: ObjectRun) throws {
        let stored = run.stored
        relinked = linked
        isRefreshed = true
        let knewAll = !isForeign
        transaction.refreshAndMergeAllObjects()
        let rebased = World.rebased(current, from: base, onto: stored, isSaving: false)
        let replaced = self.replaced(run)
        current = rebased.world
        func earlier(_ world: World) -> World {
            World.rebased(world, from: base, onto: stored, isSaving: false, endsPartnerships: false).world
        }
        past = past.map(earlier)
        future = future.map(earlier)
        (base, baseCount) = (stored, run.saveCount)
        (revisions, placings, isForeign) = (run.revisions, run.placings, false)
        let shown = try Cast(transaction, registry).world()
        open.merge(rebased.open) { $0.union($1) }
        open[.children, default: []].formUnion(replaced)
        for (relationship, owners) in open { current.adoptOrder(relationship, of: owners, from: shown) }
        try check("after refreshing")
        try checkLists(run, isComplete: knewAll)
    }

    /// Forgets what was pending, after all was saved.
    func noteCommit(_ run: ObjectRun) throws {
        // A relationship to a merged object still contains that object, which has another number in the model.
        let hasMerged = current.visible.things.keys.contains { run.stored.things[$0] == nil }
        let knewAll = !isForeign && !hasMerged
        (base, current, past, future, isFlushed) = (run.stored, run.stored, [], [], true)
        baseCount = run.saveCount
        (revisions, placings, isForeign, relinked) = (run.revisions, run.placings, false, [])
        (isRefreshed, open, placed) = (false, [:], [])
        transaction.refreshAndMergeAllObjects()
        try check("after its commit")
        try checkLists(run, isComplete: knewAll)
    }

    /// Edits in a child transaction, and takes the changes over or not.
    func editInChild(_ dice: inout Dice, note: (String) -> Void) throws {
        let child = transaction.beginUnsafe(supportsUndo: dice.isOne(in: 3))
        var world = current
        var cast = dice.isOne(in: 2) ? try Cast(child, registry) : Cast(registry)
        for _ in 0..<(1 + dice.next(4)) {
            if dice.isOne(in: 8) {
                try editInGrandchild(of: child, &world, &dice, note: note)
                continue
            }
            let operation = Operation.random(world.visible, saved: current, &dice, newID: registry.newNumber)
            note("\(name), in a child: \(operation)")
            try cast.apply(operation, in: child)
            placed.formUnion(world.placed(by: operation))
            world.apply(operation, saved: current)
        }
        if dice.isOne(in: 2) { try Cast(child, registry).world().expect(world.visible, "what a child shows") }
        guard !dice.isOne(in: 4) else { return note("\(name): the child is let go of") }
        note("\(name): the child commits")
        let isDenied = world.denies(since: current)
        do {
            try child.commitAndWait()
        } catch {
            guard isDenied, error.storageError?.code == .invalidValue else { throw error }
            return
        }
        guard !isDenied else { throw Mismatch("a child deleted a shelf with items") }
        world.forgetEqualSettings(since: current)
        // What the transaction itself has deleted is still looked at when it is saved.
        world.denials = current.denials
        if !world.shows(current) { isFlushed = false }
        let former = current
        current = world
        current.forgetRules(notStoredIn: base, knownIn: former)
        try check("after its child's commit")
    }

    private func editInGrandchild(
        of child: UnsafeDataTransaction, _ world: inout World, _ dice: inout Dice, note: (String) -> Void
    ) throws {
        let transaction = child.beginUnsafe()
        var cast = Cast(registry)
        let operation = Operation.random(world.visible, saved: world, &dice, newID: registry.newNumber)
        note("\(name), in a child of a child: \(operation)")
        try cast.apply(operation, in: transaction)
        placed.formUnion(world.placed(by: operation))
        var edited = world
        edited.apply(operation, saved: world)
        guard !edited.denies(since: world) else { return }
        try transaction.commitAndWait()
        edited.forgetEqualSettings(since: world)
        edited.denials = world.denials
        world = edited
    }
}

extension World {
    /// The objects that refer to deleted objects.
    fileprivate var dangling: Set<Int> {
        Set(ones.values.flatMap { $0.filter { things[$0.value] == nil }.keys })
    }

    /// The objects that have other links in another world.
    fileprivate func linked(otherwiseThan other: World) -> [Int] {
        things.keys.filter { id in
            ToMany.allCases.contains { $0.reference == nil && many($0, id) != other.many($0, id) }
        }
    }

    /// Whether it differs from an earlier world in nothing but what deleted objects were related to.
    fileprivate func shows(_ earlier: World) -> Bool {
        func references(_ world: World) -> [ToOne: [Int: Int]] {
            world.ones.mapValues { $0.filter { things[$0.key] != nil } }.filter { !$0.value.isEmpty }
        }
        return visible == earlier.visible && references(self) == references(earlier)
            && touched.filter { things[$0.id] != nil } == earlier.touched.filter { things[$0.id] != nil }
    }

    /// Forgets what a child transaction set to the value that it had: that is not handed on.
    ///
    /// A reference that a delete rule of the parent removed, and that the child set and removed again, is one that the
    /// rule removed.
    fileprivate mutating func forgetEqualSettings(since parent: World) {
        touched = touched.filter { parent.touched.contains($0) || !hasEqualValue($0, as: parent) }
        for (property, owner) in parent.nullified where hasEqualValue(property, as: parent) {
            nullified[property] = owner
        }
    }

    /// Forgets the rules that were followed in a child transaction for what only its parent had related.
    fileprivate mutating func forgetRules(notStoredIn base: World, knownIn parent: World) {
        nullified = nullified.filter { property, owner in
            if parent.nullified[property] == owner { return true }
            return ToOne(rawValue: property.name).map { base.one($0, property.id) == owner } ?? false
        }
        cascades = cascades.filter { item, box in parent.cascades[item] == box || base.one(.box, item) == box }
    }

    private func hasEqualValue(_ property: Property, as other: World) -> Bool {
        guard let thing = things[property.id], let known = other.things[property.id] else { return false }
        if let relationship = ToOne(rawValue: property.name) {
            return one(relationship, property.id) == other.one(relationship, property.id)
        }
        switch property.name {
        case "value": return thing.value == known.value
        case "title": return thing.title == known.title
        case "mark": return thing.mark == known.mark
        default: return thing.extra == known.extra
        }
    }
}
