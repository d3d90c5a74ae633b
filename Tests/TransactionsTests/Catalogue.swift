import Coffer

/// The classes of the tests that fetch among many pending objects: paths, inverses, links and a subclass.
enum Catalogue {
    class Item: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("grade") var grade: Int = 0
        @Field.Stored("code") var code: String?
        @Field.Stored("weight") var weight: Double = 0
        @Field.Relationship("album") var album: Album?
        @Field.Relationship("tags", inverse: \.$items) var tags: Set<Tag>
    }

    final class Special: Item {
        @Field.Stored("extra") var extra: Int = 0
    }

    final class Album: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("year") var year: Int = 0
        @Field.Relationship("artist") var artist: Artist?
        @Field.Relationship("items", inverse: \.$album) var items: Set<Item>
    }

    final class Artist: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("albums", inverse: \.$artist) var albums: Set<Album>
    }

    final class Tag: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("items") var items: Set<Item>
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Item>("CatalogueItem", indexes: [[\.$number], [\.$grade]]), Entity<Special>("CatalogueSpecial"),
            Entity<Album>("CatalogueAlbum", indexes: [[\.$name]]), Entity<Artist>("CatalogueArtist"),
            Entity<Tag>("CatalogueTag"),
        ])
}
