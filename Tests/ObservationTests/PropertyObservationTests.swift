import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct PropertyObservationTests {
    /// A record of changes as "old → new", with "prior" before a change that has not happened yet.
    private final class Notes {
        var lines: [String] = []

        func add<V>(_ isPrior: Bool, _ old: V?, _ new: V?, _ current: Any) {
            let values = "\(old.map { "\($0)" } ?? "-") → \(new.map { "\($0)" } ?? "-")"
            lines.append("\(isPrior ? "prior " : "")\(values) at \(current)")
        }
    }

    @Test(.pins("OBS-90", "OBS-91"), arguments: TestBackend.allCases)
    func `an observer of a field is called before and after a change with the requested values`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        try test.stack.perform(synchronous: { transaction in
            let ann = try #require(try transaction.fetchOne(From<Person>()))
            let (all, plain) = (Notes(), Notes())
            let tokens = [
                ann.observe(\.$age, options: [.new, .old, .prior, .initial]) { ann, change in
                    #expect(change.kind == .setting)
                    all.add(change.isPrior, change.oldValue, change.newValue, ann.age)
                },
                ann.observe(\.$age) { ann, change in
                    plain.add(change.isPrior, change.oldValue, change.newValue, ann.age)
                },
            ]
            ann.age = 2
            ann.name = "Zoe"
            ann.age = 2
            #expect(
                all.lines == [
                    "- → 1 at 1", "prior 1 → - at 1", "1 → 2 at 2", "prior 2 → - at 2", "2 → 2 at 2",
                ])
            #expect(plain.lines == ["- → - at 2", "- → - at 2"])
            let made = transaction.create(Into<Person>())
            let notes = Notes()
            let token = made.observe(\.$title, options: [.old, .new]) { _, change in
                notes.add(change.isPrior, change.oldValue, change.newValue, "")
            }
            made.title = "x"
            #expect(notes.lines == ["The  → The x at "])
            withExtendedLifetime((tokens, token)) {}
        })
    }

    @Test(.pins("OBS-92"), arguments: TestBackend.allCases)
    func `an observation ends when it is invalidated or released`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let draft = test.stack.beginUnsafe(supportsUndo: true)
        let ann = try #require(try draft.fetchOne(From<Person>()))
        let notes = Notes()
        var token: (any CoreStoreObjectKeyValueObservation)? = ann.observe(\.$age, options: .new) { ann, change in
            notes.add(change.isPrior, change.oldValue, change.newValue, ann.age)
        }
        let other = ann.observe(\.$age) { _, _ in notes.lines.append("other") }
        draft.flush { ann.age = 2 }
        other.invalidate()
        draft.undo()
        ann.age = 3
        token = nil
        ann.age = 4
        #expect(token == nil)
        #expect(notes.lines == ["- → 2 at 2", "other", "- → 3 at 3"])
    }

    @Test(.pins("OBS-93"), arguments: TestBackend.allCases)
    func `a commit calls the observers of changed fields of live objects`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        let notes = Notes()
        let token = ann.observe(\.$age, options: [.old, .new, .prior]) { ann, change in
            notes.add(change.isPrior, change.oldValue, change.newValue, ann.age)
        }
        try test.edit("Ann") { $0.age = 2 }
        try test.edit("Ann") { $0.city = "Rome" }
        try test.edit("Ann") { $0.age = 3 }
        #expect(notes.lines == ["1 → 2 at 2", "2 → 3 at 3"])
        token.invalidate()
        try test.edit("Ann") { $0.age = 4 }
        try test.delete("Ann")
        #expect(notes.lines.count == 2)
    }

    @Test(.pins("OBS-92", "OBS-93"), arguments: TestBackend.allCases)
    func `an observation of a stack's object ends when its token is released`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        let notes = Notes()
        var token: (any CoreStoreObjectKeyValueObservation)? = ann.observe(\.$age, options: .new) { ann, change in
            notes.add(change.isPrior, change.oldValue, change.newValue, ann.age)
        }
        try test.edit("Ann") { $0.age = 2 }
        token = nil
        try test.edit("Ann") { $0.age = 3 }
        #expect(token == nil && ann.age == 3)
        #expect(notes.lines == ["- → 2 at 2"])
    }

    @available(*, deprecated)
    @Test(.pins("LEG-04"), arguments: TestBackend.allCases)
    func `legacy values and archived objects can be observed`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Old.schema)
        try test.stack.perform(synchronous: { transaction in
            let thing = transaction.create(Into<Old.Thing>())
            let notes = Notes()
            let tokens = [
                thing.name.observe(options: [.old, .new, .prior]) { thing, change in
                    notes.add(change.isPrior, change.oldValue, change.newValue, thing.name.value)
                },
                thing.size.observe(options: [.old, .new]) { _, change in
                    notes.add(change.isPrior, change.oldValue, change.newValue, "size")
                },
                thing.note.observe(options: [.old, .new]) { _, change in
                    notes.add(change.isPrior, change.oldValue, change.newValue, "note")
                },
                thing.tag.observe(options: [.old, .new]) { _, change in
                    notes.add(change.isPrior, change.oldValue, change.newValue, "tag")
                },
                thing.mark.observe(options: [.old, .new]) { _, change in
                    notes.add(change.isPrior, change.oldValue, change.newValue, "mark")
                },
            ]
            thing.name .= "a"
            thing.size .= 3
            thing.size .= nil
            thing.note.value = "n"
            thing.tag.value = "t"
            thing.mark .= 7
            #expect(
                notes.lines == [
                    "prior  → - at ", " → a at a", "- → 3 at size", "3 → - at size", " → n at note", "- → t at tag",
                    "0 → 7 at mark",
                ])
            withExtendedLifetime(tokens) {}
        })
    }

    @available(*, deprecated)
    @Test(.pins("LEG-04"), arguments: TestBackend.allCases)
    func `legacy relationships can be observed, whichever side is set`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Old.schema)
        try test.stack.perform(synchronous: { transaction in
            let (box, other) = (transaction.create(Into<Old.Box>()), transaction.create(Into<Old.Box>()))
            let (one, two) = (transaction.create(Into<Old.Thing>()), transaction.create(Into<Old.Thing>()))
            (one.name.value, two.name.value) = ("one", "two")
            let notes = Notes()
            func names(_ things: some Sequence<Old.Thing>) -> String { things.map(\.name.value).sorted().joined() }
            let tokens = [
                one.box.observe(options: [.old, .new]) { _, change in
                    notes.lines.append("box \(change.oldValue != nil) \(change.newValue === box)")
                },
                box.things.observe(options: [.old, .new, .prior]) { _, change in
                    let text = "\(names(change.oldValue))>\(names(change.newValue))"
                    notes.lines.append("things \(change.isPrior ? "prior " : "")\(text)")
                },
                box.ranks.observe(options: [.old, .new]) { _, change in
                    #expect(change.indexes.isEmpty)
                    notes.lines.append("row \(change.newValue.map(\.name.value))")
                },
            ]
            one.box .= box
            #expect(notes.lines == ["things prior >", "things >one", "box false true"])
            notes.lines = []
            two.box .= other
            #expect(notes.lines == [])
            box.things .= [one, two]
            #expect(notes.lines == ["things prior one>", "things one>onetwo"])
            notes.lines = []
            other.things .= [one]
            #expect(notes.lines == ["things prior onetwo>", "things onetwo>two", "box true false"])
            notes.lines = []
            box.ranks .= [two, one]
            #expect(notes.lines == ["row [\"two\", \"one\"]"])
            withExtendedLifetime(tokens) {}
        })
    }
}

@available(*, deprecated)
private enum Old {
    final class Thing: CoreStoreObject {
        let name = Value.Required<String>("name", initial: "")
        let size = Value.Optional<Int>("size")
        let note = Transformable.Required<NSString>("note", initial: "")
        let tag = Transformable.Optional<NSString>("tag")
        let mark = Value.Required<Int>("mark", initial: 0, isTransient: true)
        let box = Relationship.ToOne<Box>("box")
        let place = Relationship.ToOne<Box>("place")
    }

    final class Box: CoreStoreObject {
        let things = Relationship.ToManyUnordered<Thing>("things", inverse: { $0.box })
        let ranks = Relationship.ToManyOrdered<Thing>("ranks", inverse: { $0.place })
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Thing>("OldThing"), Entity<Box>("OldBox")]
    )
}
