import CofferStorage

/// An entry of an observed list: the row of an object, and its section.
struct ListEntry: Sendable {
    let row: Row
    /// The key space of the row's key.
    let storage: UInt32
    /// The section; nil if the list has no sections.
    let section: SectionName?

    var id: ObjectID { ObjectID(storage: storage, key: row.key) }
}

/// The name of a section.
///
/// A list creates one object for each name. Two entries are in the same section if and only if they have the same
/// object.
final class SectionName: Sendable {
    let text: String
    /// The title of the section in an index of sections; nil for none.
    let indexTitle: String?

    init(_ text: String, indexTitle: String? = nil) {
        self.text = text
        self.indexTitle = indexTitle
    }
}
