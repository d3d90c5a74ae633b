import Coffer

/// A country of ISO 3166-1.
///
/// If a country is deleted, its subdivisions are also deleted; its currencies stay.
final class Country: CoreStoreObject {
    @Field.Stored("code")
    var code: String = ""

    @Field.Stored("name")
    var name: String = ""

    @Field.Stored("officialName")
    var officialName: String?

    @Field.Stored("flag")
    var flag: String = ""

    @Field.Relationship("subdivisions", inverse: \.$country, deleteRule: .cascade)
    var subdivisions: Set<Subdivision>

    @Field.Relationship("currencies", inverse: \.$country)
    var currencies: Set<Currency>
}
