import Coffer

/// A province, canton, parish or the like of ISO 3166-2, possibly within another one.
final class Subdivision: CoreStoreObject {
    @Field.Stored("code")
    var code: String = ""

    @Field.Stored("name")
    var name: String = ""

    @Field.Stored("kind")
    var kind: String = ""

    @Field.Relationship("country")
    var country: Country?

    @Field.Relationship("parent")
    var parent: Subdivision?

    @Field.Relationship("children", inverse: \.$parent, deleteRule: .cascade)
    var children: Set<Subdivision>
}
