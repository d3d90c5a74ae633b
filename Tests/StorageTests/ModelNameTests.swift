import CofferStorage
import Testing

/// Names that no table can have.
struct ModelNameTests {
    private func refusal(
        version: String = "V1", entity: String = "A", attribute: String = "x", relationship: String = "y"
    ) -> String? {
        let description = EntityDescription(
            name: entity, attributes: [.init(name: attribute, type: .stringAttributeType)],
            relationships: [
                .init(name: relationship, destination: entity, inverse: relationship, isToMany: false)
            ])
        do throws(StorageError) {
            _ = try ModelLayout(StoreModel(version: version, entities: [description]))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `empty names are refused`() {
        #expect(refusal() == nil)
        #expect(
            refusal(version: "")
                == "invalidModel: The version of a model is empty. Give it at least one character.")
        #expect(refusal(entity: "") == "invalidModel: An entity's name is empty. Give it at least one character.")
        #expect(
            refusal(attribute: "")
                == "invalidModel: The name of a property of 'A' is empty. Give it at least one character.")
        #expect(refusal(relationship: "") == refusal(attribute: ""))
    }

    @Test func `names with a NUL are refused`() {
        #expect(refusal(version: "V\01") == "invalidModel: The version of a model, 'V␀1', has a NUL. Remove it.")
        #expect(refusal(entity: "A\0") == "invalidModel: An entity's name, 'A␀', has a NUL. Remove it.")
        #expect(
            refusal(attribute: "\0x") == "invalidModel: The name of a property of 'A', '␀x', has a NUL. Remove it.")
        #expect(refusal(relationship: "\0x") == refusal(attribute: "\0x"))
    }
}
