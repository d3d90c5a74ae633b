import Coffer
import Foundation
import TestSupport
import Testing

/// A class whose getters append "!" to strings, and whose setters append "?".
@available(*, deprecated)
private final class Parrot: CoreStoreObject {
    let word = Value.Optional<String>(
        "word", customGetter: Parrot.word(_:), customSetter: Parrot.setWord(_:_:))
    let cover = Transformable.Required<NSString>(
        "cover", initial: "c", customGetter: Parrot.cover(_:), customSetter: Parrot.setCover(_:_:))
    let back = Transformable.Optional<NSString>(
        "back", customGetter: Parrot.back(_:), customSetter: Parrot.setBack(_:_:))
    let mark = Transformable.Required<NSString>(
        "mark", initial: "m", isTransient: true, customGetter: Parrot.mark(_:), customSetter: Parrot.setMark(_:_:))
    let count = Value.Required<Int>(
        "count", initial: 1, isTransient: true, customGetter: Parrot.count(_:), customSetter: Parrot.setCount(_:_:))

    private static func word(_ partial: PartialObject<Parrot>) -> String? {
        partial.primitiveValue(for: { $0.word }).map { $0 + "!" }
    }

    private static func setWord(_ partial: PartialObject<Parrot>, _ newValue: String?) {
        partial.setPrimitiveValue(newValue.map { $0 + "?" }, for: { $0.word })
    }

    private static func cover(_ partial: PartialObject<Parrot>) -> NSString {
        NSString(string: partial.primitiveValue(for: { $0.cover }).appending("!"))
    }

    private static func setCover(_ partial: PartialObject<Parrot>, _ newValue: NSString) {
        partial.setPrimitiveValue(NSString(string: newValue.appending("?")), for: { $0.cover })
    }

    private static func back(_ partial: PartialObject<Parrot>) -> NSString? {
        partial.primitiveValue(for: { $0.back }).map { NSString(string: $0.appending("!")) }
    }

    private static func setBack(_ partial: PartialObject<Parrot>, _ newValue: NSString?) {
        partial.setPrimitiveValue(newValue.map { NSString(string: $0.appending("?")) }, for: { $0.back })
    }

    private static func mark(_ partial: PartialObject<Parrot>) -> NSString {
        NSString(string: partial.primitiveValue(for: { $0.mark }).appending("!"))
    }

    private static func setMark(_ partial: PartialObject<Parrot>, _ newValue: NSString) {
        partial.setPrimitiveValue(NSString(string: newValue.appending("?")), for: { $0.mark })
    }

    private static func count(_ partial: PartialObject<Parrot>) -> Int {
        partial.primitiveValue(for: { $0.count }) * 10
    }

    private static func setCount(_ partial: PartialObject<Parrot>, _ newValue: Int) {
        partial.setPrimitiveValue(newValue + 1, for: { $0.count })
    }
}

/// Accessors of the declarations that `Field` replaced.
@MainActor
struct LegacyAccessorTests {
    @available(*, deprecated)
    @Test(.pins("LEG-03"), arguments: TestBackend.allCases)
    func `accessors of optional, archived and transient properties receive a partial object`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Parrot>("OldParrot")]))
        try test.stack.perform(synchronous: { transaction in
            let parrot = transaction.create(Into<Parrot>())
            #expect(parrot.word.value == nil)
            #expect(parrot.back.value == nil)
            #expect(parrot.cover.value == "c!")
            #expect(parrot.mark.value == "m!")
            #expect(parrot.count.value == 10)
            parrot.word.value = "w"
            parrot.cover.value = "d"
            parrot.back.value = "b"
            parrot.mark.value = "n"
            parrot.count.value = 3
            #expect(parrot.mark.value == "n?!")
            #expect(parrot.count.value == 40)
            let partial = parrot.partialObject()
            #expect(partial.primitiveValue(for: { $0.word }) == "w?")
            #expect(partial.primitiveValue(for: { $0.mark }) == "n?")
            #expect(partial.value(for: { $0.back }) == "b?!")
        })
        let parrot = try #require(try test.stack.fetchOne(From<Parrot>().where(Where("word", isEqualTo: "w?"))))
        #expect(parrot.word.value == "w?!")
        #expect(parrot.cover.value == "d?!")
        #expect(parrot.back.value == "b?!")
        // Transient values are not saved.
        #expect(parrot.mark.value == "m!")
        #expect(parrot.count.value == 10)
        try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(parrot))
            own.word.value = nil
            own.back.value = nil
        })
        #expect(parrot.word.value == nil)
        #expect(parrot.back.value == nil)
    }
}
