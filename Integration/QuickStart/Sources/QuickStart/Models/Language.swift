import Coffer

/// A language of ISO 639-3.
final class Language: CoreStoreObject {
    enum Scope: String, ImportableAttributeType, FieldStorableType {
        case individual = "I"
        case macrolanguage = "M"
        case special = "S"
    }

    enum Kind: String, ImportableAttributeType, FieldStorableType {
        case ancient = "A"
        case constructed = "C"
        case extinct = "E"
        case historical = "H"
        case living = "L"
        case special = "S"
    }

    @Field.Stored("code")
    var code: String = ""

    @Field.Stored("name")
    var name: String = ""

    @Field.Stored("scope")
    var scope: Scope = .individual

    @Field.Stored("kind")
    var kind: Kind = .living
}
