import CofferStorage
import Foundation
import Testing

/// Ids as URIs.
struct ObjectIDTests {
    @Test(
        arguments: ["Dog", "Größe mit Raum", "a/b", "50 %", "what?", "#", "dot.ted", "/", "犬"],
        [0, 1, -1, Int64.min, .max])
    func `an id converts to a URI and to JSON and back`(_ entityName: String, _ key: Int64) throws {
        let id = ObjectID(space: KeySpace(store: UUID(), entityName: entityName), key: key)
        let uri = id.uriRepresentation()
        #expect(ObjectID(uriRepresentation: uri) == id)
        #expect(URL(string: uri.absoluteString).flatMap(ObjectID.init(uriRepresentation:)) == id)
        #expect(try JSONDecoder().decode([ObjectID].self, from: JSONEncoder().encode([id])) == [id])
        #expect(id.description == "\(entityName)#\(key)")
    }

    @Test(arguments: [
        "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog", "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog/",
        "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F//1", "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/1",
        "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog/one",
        "coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog/9223372036854775808", "coffer://store/Dog/1",
        "coffer:/Dog/1",
        "x-coredata://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog/p1", "/Dog/1",
    ])
    func `an invalid URI does not convert to an id`(_ text: String) throws {
        #expect(ObjectID(uriRepresentation: try #require(URL(string: text))) == nil)
    }

    @Test func `ids are equal if their store, entity and key are equal`() {
        let (store, other) = (UUID(), UUID())
        func id(_ store: UUID, _ entityName: String, _ key: Int64) -> ObjectID {
            ObjectID(space: KeySpace(store: store, entityName: entityName), key: key)
        }
        #expect(id(store, "Dog", 1) == id(store, "Dog", 1))
        #expect(id(store, "Dog", 1).hashValue == id(store, "Dog", 1).hashValue)
        #expect(Set([id(store, "Dog", 1), id(store, "Dog", 2), id(store, "Cat", 1), id(other, "Dog", 1)]).count == 4)
        #expect(id(store, "Dog", 1).store == store && id(store, "Dog", 1).entityName == "Dog")
    }
}
