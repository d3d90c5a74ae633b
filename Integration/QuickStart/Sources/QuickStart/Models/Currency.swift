import Coffer

/// A currency of ISO 4217.
///
/// If the currency has a country, its code starts with the code of the country.
final class Currency: CoreStoreObject {
    @Field.Stored("code")
    var code: String = ""

    @Field.Stored("name")
    var name: String = ""

    @Field.Relationship("country")
    var country: Country?
}
