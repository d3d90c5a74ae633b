import Coffer
import Foundation
import TestSupport
import Testing

/// Schemas that are refused.
///
/// Each refusal is an assertion. If the logger lets the program continue, stores are not opened.
@MainActor
struct SchemaMisuseTests {
    private class One: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    private final class Two: One {
        @Field.Stored("size") var size: Int = 0
    }

    private class NoInverse: CoreStoreObject {
        @Field.Relationship("other") var other: Other?
    }

    private class Other: CoreStoreObject {
        @Field.Relationship("back") var back: NoInverse?
    }

    private class Shared: CoreStoreObject {
        @Field.Relationship("owner") var owner: SharedOwner?
    }

    private class SharedOwner: CoreStoreObject {
        @Field.Relationship("first", inverse: \.$owner) var first: Set<Shared>
        @Field.Relationship("second", inverse: \.$owner) var second: Set<Shared>
    }

    private class Wide: CoreStoreObject {
        @Field.Relationship("parts", inverse: \.$whole) var parts: Set<Part>
    }

    private class Narrow: Wide {}

    private class Part: CoreStoreObject {
        @Field.Relationship("whole") var whole: Narrow?
    }

    private class SameName: CoreStoreObject {
        @Field.Stored("x") var x: Int = 0
        @Field.Stored("x") var y: Int = 0
    }

    private class Inherits: One {
        @Field.Stored("name") var title: String = ""
    }

    /// Returns the assertions of an invalid schema, and checks that the addition of a store throws the same message.
    private func refusal(_ version: String, _ entities: [DynamicEntity], marker: String) -> [String] {
        let schema = CoreStoreSchema(modelVersion: version, entities: entities)
        var error: (any Error)?
        let log = RecordingLogger.record(marker) {
            _ = schema.rawModel()
            _ = schema.rawModel()
            do { try TestStack.addStore(.memory, to: DataStack(schema), in: URL(filePath: "/")) } catch let it {
                error = it
            }
        }
        #expect((error as? CoreStoreError)?.storageError?.message == log.assertions.first)
        return log.assertions
    }

    @Test(.pins("FLD-41")) func `a relationship without an inverse is refused`() {
        let text = "'NoInverse.other' has no inverse. Declare 'inverse:' on exactly one of the two sides."
        #expect(
            refusal("V1", [Entity<NoInverse>("NoInverse"), Entity<Other>("Other")], marker: "'NoInverse.") == [text]
        )
    }

    // An inverse that is declared on both sides does not compile: each of the two key paths would need the type of
    // the other one first.

    @Test(.pins("FLD-41")) func `a relationship that is the inverse of two is refused`() {
        let text = "'Shared.owner' is the inverse of both 'first' and 'second'. Keep one."
        #expect(
            refusal("V1", [Entity<Shared>("Shared"), Entity<SharedOwner>("SharedOwner")], marker: "Shared.owner") == [
                text
            ]
        )
    }

    @Test(.pins("FLD-41")) func `an inverse that refers to a subclass is refused`() {
        let text = "The inverse of 'Wide.parts', 'Part.whole', refers to 'Narrow'. It must refer to 'Wide'."
        let entities = [Entity<Wide>("Wide"), Entity<Narrow>("Narrow"), Entity<Part>("Part")]
        #expect(refusal("V1", entities, marker: "Wide.parts") == [text])
    }

    @Test(.pins("SCH-20")) func `entity names and classes are unique in a schema`() {
        #expect(
            refusal("V1", [Entity<One>("SameEntity"), Entity<Two>("SameEntity")], marker: "SameEntity")
                == ["Two entities are named 'SameEntity'. Give each its own name."]
        )
        #expect(
            refusal("V1", [Entity<One>("OneA"), Entity<One>("OneB")], marker: "OneA")
                == ["The class 'One' is registered as 'OneA' and as 'OneB'. Register it once."]
        )
    }

    @Test(.pins("SCH-21")) func `two properties of one name are refused`() {
        #expect(
            refusal("V1", [Entity<SameName>("SameName")], marker: "'SameName'")
                == ["'SameName' has two properties named 'x'. Give each its own name."]
        )
        #expect(
            refusal("V1", [Entity<One>("One"), Entity<Inherits>("Inherits")], marker: "'Inherits'")
                == ["'Inherits' has two properties named 'name'. Give each its own name."]
        )
    }

    @Test(.pins("SCH-23")) func `an index of something that is not a stored field is refused`() {
        let log = RecordingLogger.record("MarkedIndex") {
            _ = Entity<One>("MarkedIndex", indexes: [[\.isDeleted]])
        }
        #expect(log.assertions.count == 1)
        #expect(log.assertions.first?.hasPrefix("An index or unique constraint of 'MarkedIndex' names ") == true)
        #expect(log.assertions.first?.hasSuffix(", which is not a stored field. Name it as '\\.$field'.") == true)
    }

    @Test(.pins("SCH-23")) func `an index of a relationship is refused by name`() {
        let log = RecordingLogger.record("MarkedRelationship") {
            _ = Entity<NoInverse>("MarkedRelationship", indexes: [[\.$other]])
        }
        #expect(
            log.assertions == [
                "An index or unique constraint of 'MarkedRelationship' names 'other', which is a relationship. Name stored "
                    + "fields only, as '\\.$field'."
            ])
    }

    @Test(.pins("SCH-24")) func `a unique constraint of a relationship is refused by name`() {
        let log = RecordingLogger.record("MarkedConstraint") {
            _ = Entity<NoInverse>("MarkedConstraint", uniqueConstraints: [[\.$other]])
        }
        #expect(
            log.assertions == [
                "An index or unique constraint of 'MarkedConstraint' names 'other', which is a relationship. Name stored fields "
                    + "only, as '\\.$field'."
            ])
    }

    @Test(.pins("SCH-24")) func `unique constraints belong to the root of an inheritance tree`() {
        let entities = [Entity<One>("One"), Entity<Two>("TwoUnique", uniqueConstraints: [[\.$size]])]
        let text =
            "'TwoUnique' declares a unique constraint, but only a root entity can declare one. Move the constraint to "
            + "'One'."
        #expect(refusal("V1", entities, marker: "TwoUnique") == [text])
    }

    @Test(.pins("SCH-26")) func `the destination of a relationship must be registered itself`() {
        class Home: CoreStoreObject {
            @Field.Relationship("animals", inverse: \.$home) var animals: Set<Animal>
        }
        class Animal: CoreStoreObject {
            @Field.Relationship("home") var home: Home?
        }
        final class Lion: Animal {}
        let text = "'Home.animals' refers to class 'Animal', which is not registered as an entity."
        #expect(refusal("V1", [Entity<Home>("Home"), Entity<Lion>("Lion")], marker: "Home.animals") == [text])
    }

    @Test(.pins("SCH-36")) func `two schemas of one version are refused`() {
        let log = RecordingLogger.record("'twice'") {
            _ = SchemaHistory(
                CoreStoreSchema(modelVersion: "twice", entities: [Entity<One>("One")]),
                CoreStoreSchema(modelVersion: "twice", entities: [Entity<One>("One")]),
                exactCurrentModelVersion: "twice"
            )
        }
        #expect(log.assertions == ["Two schemas of the history have the version 'twice'."])
    }
}
