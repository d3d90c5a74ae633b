package import Coffer
package import Foundation

import class CofferSQLite.SQLiteStore

/// The number of commits.
package final class Counter: CoreStoreObject {
    @Field.Stored("value") package var value: Int = 0
}

/// The object that one commit adds.
package final class Entry: CoreStoreObject {
    @Field.Stored("number") package var number: Int = 0
    @Field.Stored("title") package var title: String = ""
    @Field.Relationship("lines", inverse: \.$entry, deleteRule: .cascade) package var lines: [Line]
    @Field.Relationship("tags", inverse: \.$entries) package var tags: Set<Tag>
    @Field.Relationship("previous", inverse: \.$next) package var previous: Entry?
    @Field.Relationship("next") package var next: Entry?
}

/// A part of an entry.
package final class Line: CoreStoreObject {
    @Field.Stored("text") package var text: String = ""
    @Field.Relationship("entry") package var entry: Entry?
    @Field.Relationship("topic") package var topic: Tag?
}

/// An object that many entries share.
package final class Tag: CoreStoreObject {
    @Field.Stored("name") package var name: String = ""
    /// The number of the last entry with the tag.
    @Field.Stored("latest") package var latest: Int = 0
    @Field.Relationship("entries") package var entries: Set<Entry>
    @Field.Relationship("lines", inverse: \.$topic) package var lines: Set<Line>
}

/// A store whose writing process is killed: its model, its place, and its commits.
package struct Ledger {
    package let stack: DataStack

    /// Opens the file, or creates it if it does not exist.
    package init(fileURL: URL) throws {
        let entities: [DynamicEntity] = [
            Entity<Counter>("Counter"),
            Entity<Entry>("Entry", indexes: [[\.$title]], uniqueConstraints: [[\.$number]]),
            Entity<Line>("Line", indexes: [[\.$text]]),
            Entity<Tag>("Tag", uniqueConstraints: [[\.$name]]),
        ]
        stack = DataStack(
            CoreStoreSchema(modelVersion: "V1", entities: entities), viewQueue: DispatchQueue(label: "ledger")
        )
        try stack.addStorageAndWait(SQLiteStore(fileURL: fileURL))
    }

    /// Closes the file.
    package func close() { stack.unsafeRemoveAllPersistentStoresAndWait() }

    /// Makes the next commit and returns its number.
    package func commit() throws -> Int {
        try stack.perform(synchronous: { transaction in
            let counter = try transaction.fetchOne(From<Counter>()) ?? transaction.create(Into<Counter>())
            counter.value += 1
            let number = counter.value
            let plan = Plan(number)

            let entry = transaction.create(Into<Entry>())
            entry.number = number
            entry.title = plan.title
            for text in plan.lines {
                let line = transaction.create(Into<Line>())
                line.text = text
                line.entry = entry
            }
            for name in plan.tags {
                let known = plan.looksForTags ? try transaction.fetchOne(From<Tag>().where(\.$name == name)) : nil
                let tag = known ?? transaction.create(Into<Tag>())
                tag.name = name
                tag.latest = number
                entry.tags.insert(tag)
                if name == plan.topic { for line in entry.lines { line.topic = tag } }
            }
            entry.previous = try Self.entry(plan.previous, transaction)
            if let edited = try Self.entry(plan.edited, transaction) {
                edited.title = plan.newTitle
                edited.tags = []
                if let line = edited.lines.first { transaction.delete(line) }
            }
            if let deleted = try plan.deleted.flatMap({ try Self.entry($0, transaction) }) {
                transaction.delete(deleted)
            }
            return number
        })
    }

    private static func entry(_ number: Int, _ transaction: BaseDataTransaction) throws -> Entry? {
        try transaction.fetchOne(From<Entry>().where(\.$number == number))
    }
}
