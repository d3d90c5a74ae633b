/// The changes of the commit with a number.
package struct Plan {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    package var title: String { "Entry \(number)" }
    package var tags: Set<String> { Set([5, 7, 11, 13, 17, 19].map { "tag \(number % $0)" }) }
    /// The tag that is the topic of the new entry's lines.
    package var topic: String { "tag \(number % 5)" }
    /// Whether the commit fetches existing tags; otherwise it creates them again, and the store merges them.
    package var looksForTags: Bool { number % 3 == 0 }
    /// The entry before the new entry, if it still exists.
    package var previous: Int { number - 1 - number % 3 }

    /// The texts of the new entry's lines; some are longer than a page of the file.
    package var lines: [String] {
        (0...number % 4).map { index in
            let length = (number * 31 + index * 977) % (index == 3 ? 9_000 : 200)
            return "\(number * 7_919 % 1_000).\(index) " + String(repeating: "é\(number)", count: length / 4)
        }
    }

    /// The entry that loses its tags and its first line, and is renamed.
    package var edited: Int { number - 4 }
    package var newTitle: String { "Entry \(edited), edited by \(number)" }

    /// The entry that is deleted with its lines; one entry in sixteen is not deleted.
    package var deleted: Int? {
        let old = number - 24
        return old > 0 && old % 16 != 0 ? old : nil
    }
}
