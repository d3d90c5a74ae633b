import Coffer
import CofferStorage

/// The classes of the random run: every kind of relationship, every delete rule, and a unique constraint.
enum Depot {
    class Item: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("value") var value: Int = 0
        @Field.Stored("title") var title: String?
        @Field.Coded("mark", coder: FieldCoders.Json.self) var mark: Mark?
        @Field.Virtual("caption", customGetter: { object, _ in "\(object.$number.value): \(object.$value.value)" })
        var caption: String
        @Field.Relationship("parent") var parent: Item?
        @Field.Relationship("children", inverse: \.$parent) var children: [Item]
        @Field.Relationship("partner", inverse: \.$partnerOf) var partner: Item?
        @Field.Relationship("partnerOf") var partnerOf: Item?
        @Field.Relationship("mentor") var mentor: Item?
        @Field.Relationship("box") var box: Box?
        @Field.Relationship("shelf") var shelf: Shelf?
        @Field.Relationship("tags", inverse: \.$tagged) var tags: [Tag]
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<Item>
        @Field.Relationship("friendOf") var friendOf: Set<Item>
        @Field.Relationship("pupils", inverse: \.$mentor) var pupils: Set<Item>
        @Field.Relationship("likes", inverse: \.$likedBy) var likes: [Item]
        @Field.Relationship("likedBy") var likedBy: [Item]
    }

    final class Special: Item {
        @Field.Stored("extra") var extra: Int = 7
    }

    final class Box: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("value") var value: Int = 0
        @Field.Relationship("items", inverse: \.$box, deleteRule: .cascade) var items: Set<Item>
    }

    final class Shelf: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("value") var value: Int = 0
        @Field.Relationship("items", inverse: \.$shelf, deleteRule: .deny) var items: Set<Item>
    }

    final class Tag: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("value") var value: Int = 0
        @Field.Stored("name") var name: String?
        @Field.Relationship("tagged") var tagged: Set<Item>
    }

    struct Mark: Codable, Equatable {
        var grade: Int
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Item>("DepotItem"), Entity<Special>("DepotSpecial"), Entity<Box>("DepotBox"),
            Entity<Shelf>("DepotShelf"), Entity<Tag>("DepotTag", uniqueConstraints: [[\.$name]]),
        ])
}
