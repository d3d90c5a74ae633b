import Coffer

/// All that is in a ledger, as values.
package struct LedgerContent: Equatable {
    package struct Entry: Equatable {
        package var title: String
        package var lines: [String]
        package var tags: Set<String>
        package var previous: Int?
    }

    package private(set) var count = 0
    package private(set) var entries: [Int: Entry] = [:]
    /// The numbers of the entries of each tag.
    package private(set) var tags: [String: Set<Int>] = [:]
    package private(set) var lineCount = 0

    /// An empty ledger.
    package init() {}

    /// What there should be after the next commit.
    package mutating func advance() {
        count += 1
        let plan = Plan(count)
        let previous = entries[plan.previous] == nil ? nil : plan.previous
        if let previous {
            for number in entries.keys where entries[number]?.previous == previous { entries[number]?.previous = nil }
        }
        entries[count] = Entry(title: plan.title, lines: plan.lines, tags: plan.tags, previous: previous)
        lineCount += plan.lines.count
        for tag in plan.tags { tags[tag, default: []].insert(count) }
        if var edited = entries[plan.edited] {
            edited.title = plan.newTitle
            for tag in edited.tags { tags[tag]?.remove(plan.edited) }
            edited.tags = []
            edited.lines.removeFirst()
            lineCount -= 1
            entries[plan.edited] = edited
        }
        if let number = plan.deleted, let deleted = entries.removeValue(forKey: number) {
            lineCount -= deleted.lines.count
            for tag in deleted.tags { tags[tag]?.remove(number) }
            for other in entries.keys where entries[other]?.previous == number { entries[other]?.previous = nil }
        }
    }

    /// What there is.
    package init(_ ledger: Ledger) throws {
        self = try ledger.stack.perform(read: { reading in
            var content = LedgerContent()
            content.count = try reading.fetchOne(From<Counter>())?.value ?? 0
            for entry in try reading.fetchAll(From<CrashProbe.Entry>()) {
                content.entries[entry.number] = Entry(
                    title: entry.title, lines: entry.lines.map(\.text), tags: Set(entry.tags.map(\.name)),
                    previous: entry.previous?.number
                )
            }
            for tag in try reading.fetchAll(From<Tag>()) { content.tags[tag.name] = Set(tag.entries.map(\.number)) }
            content.lineCount = try reading.fetchCount(From<Line>())
            return content
        })
    }
}
