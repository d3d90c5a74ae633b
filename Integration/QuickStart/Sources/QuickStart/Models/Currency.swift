import Coffer

/// A currency of ISO 4217.
///
/// Its code starts with the code of its country, if it has one.
final class Currency: CoreStoreObject {
    @Field.Stored("code")
    var code: String = ""

    @Field.Stored("name")
    var name: String = ""

    @Field.Relationship("country")
    var country: Country?
}
