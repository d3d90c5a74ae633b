import Coffer

/// The complete content of a ledger, as values.
package struct LedgerContent: Equatable {
    package struct Entry: Equatable {
        package var title: String
        package var lines: [Line]
        package var tags: Set<String>
        package var previous: Int?
    }

    package struct Line: Equatable {
        package var text: String
        package var topic: String?
    }

    package struct Tag: Equatable {
        package var latest = 0
        package var entries: Set<Int> = []
        package var lineCount = 0
    }

    package private(set) var count = 0
    package private(set) var entries: [Int: Entry] = [:]
    package private(set) var tags: [String: Tag] = [:]
    package private(set) var lineCount = 0

    /// Creates the content of an empty ledger.
    package init() {}

    /// Applies the next commit to the expected content.
    package mutating func advance() {
        count += 1
        let plan = Plan(count)
        let previous = entries[plan.previous] == nil ? nil : plan.previous
        if let previous {
            for number in entries.keys where entries[number]?.previous == previous { entries[number]?.previous = nil }
        }
        let lines = plan.lines.map { Line(text: $0, topic: plan.topic) }
        entries[count] = Entry(title: plan.title, lines: lines, tags: plan.tags, previous: previous)
        lineCount += lines.count
        for tag in plan.tags {
            tags[tag, default: Tag()].latest = count
            tags[tag, default: Tag()].entries.insert(count)
        }
        tags[plan.topic]?.lineCount += lines.count
        if var edited = entries[plan.edited] {
            edited.title = plan.newTitle
            for tag in edited.tags { tags[tag]?.entries.remove(plan.edited) }
            edited.tags = []
            remove([edited.lines.removeFirst()])
            entries[plan.edited] = edited
        }
        if let number = plan.deleted, let deleted = entries.removeValue(forKey: number) {
            remove(deleted.lines)
            for tag in deleted.tags { tags[tag]?.entries.remove(number) }
            for other in entries.keys where entries[other]?.previous == number { entries[other]?.previous = nil }
        }
    }

    private mutating func remove(_ lines: [Line]) {
        lineCount -= lines.count
        for line in lines { if let topic = line.topic { tags[topic]?.lineCount -= 1 } }
    }

    /// Reads the content of a ledger.
    package init(_ ledger: Ledger) throws {
        self = try ledger.stack.read({ reading in
            var content = LedgerContent()
            content.count = try reading.fetchOne(From<Counter>())?.value ?? 0
            for entry in try reading.fetchAll(From<CrashProbe.Entry>()) {
                content.entries[entry.number] = Entry(
                    title: entry.title, lines: entry.lines.map { Line(text: $0.text, topic: $0.topic?.name) },
                    tags: Set(entry.tags.map(\.name)), previous: entry.previous?.number
                )
            }
            for tag in try reading.fetchAll(From<CrashProbe.Tag>()) {
                content.tags[tag.name] = Tag(
                    latest: tag.latest, entries: Set(tag.entries.map(\.number)), lineCount: tag.lines.count
                )
            }
            content.lineCount = try reading.fetchCount(From<CrashProbe.Line>())
            return content
        })
    }
}
