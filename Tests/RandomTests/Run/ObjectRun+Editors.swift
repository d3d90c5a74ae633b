import Coffer
import CofferStorage
import Dispatch
import TestSupport

/// Unsafe transactions that stay open beside the other transactions.
extension ObjectRun {
    /// Makes a random step in an unsafe transaction, or begins a new one.
    func edit(_ dice: inout Dice) throws {
        if editors.isEmpty || (editors.count < 3 && dice.isOne(in: 12)) { return try begin(&dice) }
        let index = dice.next(editors.count)
        let editor = editors[index]
        let isStale = editor.isStale(self)
        switch dice.next(20) {
        case 0..<9:
            if isStale, dice.isOne(in: 2) { return try refresh(editor) }
            for _ in 0..<(1 + dice.next(3)) {
                let operation = Operation.random(
                    editor.current.visible, saved: editor.base, &dice, newID: registry.newNumber)
                note("\(editor.name): \(operation)")
                try editor.edit(operation)
            }
            if !isStale, dice.isOne(in: 3) { try editor.check("after an edit") }
        case 9, 10:
            if isStale, editor.isWatched { try refresh(editor) }
            note("\(editor.name) flushes")
            try editor.flush(self)
        case 11, 12, 13:
            guard editor.supportsUndo else { return try refresh(editor) }
            if isStale { try refresh(editor) }
            try goBack(editor, &dice)
        case 14:
            try refresh(editor)
        case 15, 16:
            if isStale { try refresh(editor) }
            try editor.editInChild(&dice, note: note)
        case 17:
            note("\(editor.name) ends")
            editors.remove(at: index)
        default:
            try commit(editor, &dice)
        }
    }

    private func begin(_ dice: inout Dice) throws {
        let watched = stacks[dice.next(stacks.count)]
        let name = "\("PQRSTUVW".map(String.init)[dice.next(8)])\(count)"
        let throwsOnConflict = dice.isOne(in: 3)
        let supportsUndo = !throwsOnConflict && dice.isOne(in: 2)
        note("\(name) begins\(supportsUndo ? ", with undo" : throwsOnConflict ? ", and throws on conflicts" : "")")
        editors.append(
            try Editor(
                name, watched, self, supportsUndo: supportsUndo, throwsOnConflict: throwsOnConflict,
                listCount: dice.isOne(in: 2) ? 0 : 1 + dice.next(4), &dice))
    }

    private func refresh(_ editor: Editor) throws {
        note("\(editor.name) refreshes")
        try editor.refresh(self)
    }

    private func goBack(_ editor: Editor, _ dice: inout Dice) throws {
        switch dice.next(6) {
        case 0..<3:
            note("\(editor.name) undoes")
            try editor.undo(self)
        case 3, 4:
            note("\(editor.name) redoes")
            try editor.redo(self)
        default:
            note("\(editor.name) rolls back")
            try editor.rollback(self)
        }
        try editor.check("after going back or forth")
    }

    // MARK: Committing

    private func commit(_ editor: Editor, _ dice: inout Dice) throws {
        var rebased = World.rebased(editor.current, from: editor.base, onto: stored, isSaving: true)
        note("\(editor.name) commits")
        // Another stack does not know the deletions that require further deletions.
        if editor.isForeign, rebased.hasDeletions(editor.base, editor.current, stored) {
            try refresh(editor)
            rebased = World.rebased(editor.current, from: editor.base, onto: stored, isSaving: true)
        }
        switch try save(editor, rebased, &dice) {
        case .saved: return
        case .refused: return try forgive(editor)
        case .conflict: break
        }
        // The conflict has named the objects that others have moved and a cascade would delete. The refresh confirms
        // these deletions.
        editor.confirmDeletions(of: rebased.moved)
        note("\(editor.name) refreshes")
        try editor.refresh(self)
        rebased = World.rebased(editor.current, from: editor.base, onto: stored, isSaving: true)
        note("\(editor.name) commits again")
        switch try save(editor, rebased, &dice) {
        case .saved: return
        case .refused: return try forgive(editor)
        case .conflict: throw Mismatch("a conflict after refreshing")
        }
    }

    private enum Outcome {
        case saved
        /// A rule of the model forbids the commit.
        case refused
        case conflict
    }

    private func save(_ editor: Editor, _ rebased: Rebased, _ dice: inout Dice) throws -> Outcome {
        var unordered: Set<Int> = []
        let named = rebased.world.uniquelyNamed(saved: stored, .merge, unordered: &unordered)
        let error = commit(editor, dice.next(3))
        if let error {
            editor.noteFailure()
            switch error.storageError?.code {
            case .invalidValue where !rebased.denied.isEmpty || editor.current.isDenied: return .refused
            case .uniqueViolation where named == nil: return .refused
            case .conflict
            where rebased.isConflict || !rebased.maybeLost.isEmpty || editor.conflict(self, rebased.world) != .none:
                return .conflict
            // An object that was moved and moved back may have another place in the same order.
            case .conflict where editor.placed.contains { stored.things[$0] == nil }: return .conflict
            default: throw error
            }
        }
        guard rebased.denied.isEmpty, !rebased.isConflict, editor.conflict(self, rebased.world) != .certain, var named
        else {
            throw Mismatch("no error, but \(editor.name) cannot be saved: \(rebased.lost) \(rebased.broken)")
        }
        let found = try test.stack.read { try Cast($0, registry).world() }
        named.adoptOrder(.tags, of: unordered, from: found)
        var open = rebased.open.merging(editor.open) { $0.union($1) }
        open[.children, default: []].formUnion(editor.replaced(self))
        for (relationship, owners) in open { named.adoptOrder(relationship, of: owners, from: found) }
        var linked = editor.linked
        // The model does not contain places. Observers may receive objects that were moved back and forth.
        if editor.isRefreshed || editor.base != stored {
            linked.formUnion(
                stored.things.keys.filter { stored.one(.parent, $0) != nil || !stored.many(.children, $0).isEmpty })
        }
        save(named, by: editor.watched, isExact: !editor.isForeign, linked: linked, placed: editor.placed)
        try editor.noteCommit(self)
        return .saved
    }

    private func commit(_ editor: Editor, _ way: Int) -> CoreStoreError? {
        func synchronously() -> CoreStoreError? {
            do throws(CoreStoreError) {
                try editor.transaction.commitAndWait()
                return nil
            } catch {
                return error
            }
        }
        switch way {
        case 0: return synchronously()
        case 1: return editor.watched.view.sync { synchronously() }
        default:
            let done = DispatchSemaphore(value: 0)
            var found: CoreStoreError?
            editor.transaction.commit { error in
                found = error
                done.signal()
            }
            done.wait()
            editor.watched.view.sync {}
            return found
        }
    }

    /// Makes it possible to save a refused transaction again, or ends the transaction.
    private func forgive(_ editor: Editor) throws {
        if editor.supportsUndo {
            note("\(editor.name) rolls back")
            try editor.rollback()
            try editor.refresh(self)
        } else {
            note("\(editor.name) is released")
            editors.removeAll { $0 === editor }
        }
    }
}
