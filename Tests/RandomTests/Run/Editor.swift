import Coffer
import CofferStorage

/// An unsafe transaction with its expected content.
final class Editor {
    let name: String
    let transaction: UnsafeDataTransaction
    let watched: WatchedStack
    let supportsUndo: Bool
    private let throwsOnConflict: Bool
    /// The objects of the transaction.
    ///
    /// The editor retains all objects and has read all their relationships, so they stay as they were last seen.
    private(set) var cast: Cast
    /// The stored world at the last refresh; the beginning and each commit count as a refresh.
    private(set) var base: World
    /// The number of saves at the last refresh.
    private var baseCount: Int
    /// The world that the transaction shows.
    private(set) var current: World
    private var past: [World] = []
    private var future: [World] = []
    private var isFlushed = true
    private let registry: Registry

    /// The number of changes of each stored object at the last refresh, and of its places.
    private var revisions: [Int: Int]
    private var placings: [Int: Int]
    /// Whether another stack has committed since the last refresh.
    var isForeign = false
    private var lists: [any AnyWatchedList] = []
    /// The world of the last report to observers of the lists, and the number of saves at that time.
    private var told: (world: World, saveCount: Int)
    /// The objects that referenced deleted objects at that report; such references are hidden and cannot be saved.
    private var dangling: Set<Int> = []
    /// The objects whose links have changed since that report, and may have changed back.
    private var linkedNow: Set<Int> = []
    /// Whether a commit has failed since that report.
    private var hasFailed = false

    /// - Parameter listCount: the number of watched lists of the transaction.
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
        // Two lists are not watched. In a condition, a reference to an object that this transaction deleted remains a
        // reference until the commit. Tags may be merged by the commit, and then have other numbers.
        var all = WatchedLists.make(transaction, registry).filter { $0.name != "by box" && $0.name != "tags" }
        for _ in 0..<listCount { lists.append(all.remove(at: dice.next(all.count))) }
    }

    /// Whether something has been saved since the last refresh, even if that change was reversed.
    ///
    /// In that case, a transaction with watched lists reads its relationships again.
    func isStale(_ run: ObjectRun) -> Bool { baseCount != run.saveCount }

    /// Whether lists of the transaction are watched.
    var isWatched: Bool { !lists.isEmpty }

    /// Records that a commit failed, and discards the reports to observers without checking them.
    func noteFailure() {
        hasFailed = true
        for list in lists { list.forgetTold() }
    }

    /// Checks the reports to observers of the lists.
    ///
    /// - Parameter isComplete: whether the reports must include all differences from the last check.
    private func checkLists(_ run: ObjectRun, isComplete: Bool = true) throws {
        guard isWatched else { return }
        let world = current.visible
        // Observers may receive an earlier change of others again.
        let isAlone = run.saveCount == told.saveCount && !isRefreshed
        // Observers may receive these objects, because their rows change, although their visible values do not.
        let hidden = dangling.union(current.dangling)
        dangling = current.dangling
        let commit = Commit(
            before: told.world, after: world, stack: watched, isExact: true,
            linked: isAlone ? linked.union(linkedNow).union(hidden) : Set(world.things.keys))
        for list in lists { try list.check(world, commits: isComplete && !hasFailed ? [commit] : nil) }
        (told, hasFailed, linkedNow) = ((world, run.saveCount), false, [])
    }

    /// Checks that the transaction shows the model, and retains all objects that it shows.
    func check(_ when: String) throws {
        let all = try Cast(transaction, registry)
        cast = all
        try all.world().expect(current.visible, "the content of \(name) \(when)")
    }

    func edit(_ operation: Operation) throws {
        let before = current
        try cast.apply(operation, in: transaction)
        placed.formUnion(current.placed(by: operation))
        current.apply(operation, saved: base)
        linkedNow.formUnion(before.linked(otherwiseThan: current))
        // Relating an object to an object that is already related is no change. Objects that others deleted are
        // ignored.
        if !current.shows(before) { isFlushed = false }
        if case .set = operation { isFlushed = false }
    }

    /// The objects whose links this transaction had changed before a refresh, possibly in the same way as others.
    private var relinked: Set<Int> = []

    /// Whether the transaction was refreshed since its last commit.
    ///
    /// The rules may then not define an order that others changed too.
    private(set) var isRefreshed = false

    /// The objects whose places the transaction may have set since its last commit, and set back.
    private(set) var placed: Set<Int> = []

    /// The owners of ordered relationships that others changed too; the model does not contain the places.
    private(set) var open: [World.ToMany: Set<Int>] = [:]

    /// The objects whose links the transaction changed.
    var linked: Set<Int> {
        relinked.union(base.linked(otherwiseThan: current)).union(placed)
    }

    /// The objects whose children the transaction may have moved, and moved back, while others changed their order.
    ///
    /// Places that the transaction set stay, whatever the order was before. Others may have changed places and
    /// restored the order.
    func replaced(_ run: ObjectRun) -> Set<Int> {
        placed.filter { parent in
            let (known, stored) = (base.many(.children, parent), run.stored.many(.children, parent))
            return known != stored
                || known.contains { run.revisions[$0] != revisions[$0] || run.placings[$0] != placings[$0] }
        }
    }

    enum Conflict {
        case none
        /// A conflict about places or relationships, which the model does not represent completely.
        case possible
        case certain
    }

    /// Returns whether others have changed values that this transaction has changed.
    ///
    /// - Parameter saved: the world that the commit would save. A reference to an object outside this world is not
    ///   saved.
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
        // The conflict can concern places, delete rules, or the members of relationships that were set.
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

    /// Adopts the shown orders after the changes of others were merged into a state of the undo history.
    private func adoptOrders() throws {
        guard isRefreshed else { return }
        let shown = try Cast(transaction, registry).world()
        for relationship in World.ToMany.allCases where relationship.isOrdered {
            current.adoptOrder(relationship, of: Set(current.things.keys), from: shown)
        }
        if !past.isEmpty { past[past.count - 1] = current }
    }

    /// - Parameter run: the run, if the lists are to be checked.
    func rollback(_ run: ObjectRun? = nil) throws {
        transaction.rollback()
        (current, past, future, isFlushed) = (base, [], [], true)
        if let run { try checkLists(run) }
    }

    /// Treats deletions by cascades as intended, in all states.
    func confirmDeletions(of items: Set<Int>) {
        func confirm(_ world: inout World) { world.cascades = world.cascades.filter { !items.contains($0.key) } }
        confirm(&current)
        for index in past.indices { confirm(&past[index]) }
        for index in future.indices { confirm(&future[index]) }
    }

    /// Refreshes the transaction and the model with the stored world.
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

    /// Resets the pending changes after a successful commit.
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

    /// Edits in a child transaction, and commits or discards its changes.
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
        if dice.isOne(in: 2) { try Cast(child, registry).world().expect(world.visible, "the content of a child") }
        guard !dice.isOne(in: 4) else { return note("\(name): the child is released") }
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
        // The commit of the transaction still checks the shelves that the transaction itself deleted.
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
    /// The objects that reference deleted objects.
    fileprivate var dangling: Set<Int> {
        Set(ones.values.flatMap { $0.filter { things[$0.value] == nil }.keys })
    }

    /// Returns the objects whose links differ in another world.
    fileprivate func linked(otherwiseThan other: World) -> [Int] {
        things.keys.filter { id in
            ToMany.allCases.contains { $0.reference == nil && many($0, id) != other.many($0, id) }
        }
    }

    /// Whether this world shows the same as an earlier world, ignoring the relationships of deleted objects.
    fileprivate func shows(_ earlier: World) -> Bool {
        func references(_ world: World) -> [ToOne: [Int: Int]] {
            world.ones.mapValues { $0.filter { things[$0.key] != nil } }.filter { !$0.value.isEmpty }
        }
        return visible == earlier.visible && references(self) == references(earlier)
            && touched.filter { things[$0.id] != nil } == earlier.touched.filter { things[$0.id] != nil }
    }

    /// Removes properties that a child transaction set to their former values, because the child does not pass them on.
    ///
    /// If a delete rule of the parent removed a reference, and the child set and removed it again, the reference
    /// still counts as removed by the rule.
    fileprivate mutating func forgetEqualSettings(since parent: World) {
        touched = touched.filter { parent.touched.contains($0) || !hasEqualValue($0, as: parent) }
        for (property, owner) in parent.nullified where hasEqualValue(property, as: parent) {
            nullified[property] = owner
        }
    }

    /// Removes the records of delete rules that a child applied to relationships that only its parent had set.
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
