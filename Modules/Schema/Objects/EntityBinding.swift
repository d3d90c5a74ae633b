import CofferCCursor
package import CofferStorage
import Foundation

/// Binds an entity to its class, fields and default values; checks whether an attribute can represent a value.
// Sendable: immutable; the words are never freed, like the meta objects they correspond to.
package final class EntityBinding: @unchecked Sendable {
    package let layout: EntityLayout
    package let type: CoreStoreObject.Type
    /// The row of a new object with all defaults, but without its key.
    package let template: Row
    /// The fields with a `dynamicInitialValue` and their slots, the fields of superclasses first.
    package let dynamicInitialValues: [(slot: Int, value: () throws -> any FieldStorableType)]
    /// The fields of the entity, each with the word of its wrapper.
    package let fields: [(descriptor: FieldDescriptor, word: FieldWord)]
    /// The fields that are not in the store, by the index that their wrappers contain in place of a slot.
    let virtualFields: [FieldDescriptor]
    /// The virtual fields that the entity's own class declares.
    let ownVirtualFields: [FieldDescriptor]

    private let words: UnsafeMutablePointer<UInt32>
    private let wordCount: Int
    private let hasLinkedProperties: Bool
    private let fieldsBySlot: [FieldDescriptor?]
    /// The slots of the fields whose values are UUIDs.
    let uuidSlots: ColumnSet
    /// The attributes by their names in the store.
    package let attributes: [KeyPathString: Attribute]
    /// The fields that affect a field, by its name.
    let affectingFields: [KeyPathString: Set<KeyPathString>]

    init(layout: EntityLayout, type: CoreStoreObject.Type) {
        self.layout = layout
        self.type = type
        template = Self.template(layout)
        let fields = MetaObjects.fields(of: type)
        words = .allocate(capacity: max(1, fields.count))
        wordCount = fields.count
        hasLinkedProperties = MetaObjects.hasLinkedProperties(type)
        var bySlot: [FieldDescriptor?] = Array(repeating: nil, count: layout.columns.count)
        var uuids = ColumnSet()
        var dynamic: [(slot: Int, value: () throws -> any FieldStorableType)] = []
        var virtual: [FieldDescriptor] = []
        for (index, field) in fields.enumerated() {
            words[index] = FieldWord(field).bits
            switch field.kind {
            case .stored(let stored):
                guard let slot = layout.slot(named: field.keyPath) else { continue }
                words[index] = FieldWord(slot: slot, hasAccessors: field.hasAccessors).bits
                bySlot[slot] = field
                if stored.isUUID { uuids.insert(slot) }
                if let value = stored.dynamicInitialValue { dynamic.append((slot, value)) }
            case .virtual:
                words[index] = FieldWord(slot: virtual.count, hasAccessors: true).bits
                virtual.append(field)
            case .relationship:
                guard let relationship = layout.relationship(named: field.keyPath) else { continue }
                words[index] = FieldWord(slot: relationship, hasAccessors: false).bits
            }
        }
        let words = words
        self.fields = fields.indices.map { (fields[$0], FieldWord(bits: words[$0])) }.filter { $0.word.isBound }
        fieldsBySlot = bySlot
        uuidSlots = uuids
        attributes = Self.attributes(of: layout, uuids)
        virtualFields = virtual
        let ownFields = MetaObjects.ownFields(of: type)
        ownVirtualFields = ownFields.filter(\.isVirtual)
        dynamicInitialValues = dynamic.sorted { $0.slot < $1.slot }
        affectingFields = Self.affectingFields(of: layout.name, fields, own: ownFields.count)
    }

    private static func template(_ layout: EntityLayout) -> Row {
        let values = layout.columns.map(\.defaultValue)
        let made = Row.make(entity: layout.index, key: 0, version: 1, values: values, kinds: layout.kinds)
        Diagnostics.assert(made != nil, "A default of '\(layout.name)' does not fit its field.")
        return made
            ?? RowBuilder(
                entity: layout.index, key: 0, version: 1, slotCount: layout.kinds.count, tailCapacity: 0
            ).build()
    }

    /// Whether a field is not in the store.
    package func isVirtual(_ name: String) -> Bool { virtualFields.contains { $0.keyPath == name } }

    package func field(slot: Int) -> FieldDescriptor? {
        fieldsBySlot.indices.contains(slot) ? fieldsBySlot[slot] : nil
    }

    /// Creates an object of the entity's class.
    ///
    /// - Parameter row: the row, whose reference the object takes over.
    @inline(__always)
    package func makeObject(
        _ row: RowReference, _ id: ObjectID, in context: ObjectContext, batch: UInt32 = 0
    ) -> CoreStoreObject {
        if hasLinkedProperties { return makeLinkedObject(row, id, in: context, batch: batch) }
        let saved = coffer_cursor_get()
        coffer_cursor_begin(words, wordCount)
        defer { coffer_cursor_set(saved) }
        return RawObject.with(row, id, in: context, batch: batch) { type.init(rawObject: $0) }
    }

    @inline(never)
    private func makeLinkedObject(
        _ row: RowReference, _ id: ObjectID, in context: ObjectContext, batch: UInt32
    ) -> CoreStoreObject {
        let (object, collector) = FieldCollector.collecting(words, count: wordCount) {
            RawObject.with(row, id, in: context, batch: batch) { type.init(rawObject: $0) }
        }
        for link in collector.links { link.link(to: object) }
        return object
    }
}

extension EntityBinding {
    /// A stored attribute, for writes by name.
    package struct Attribute {
        let word: FieldWord
        package let kind: ColumnKind
        let type: AttributeType
        let isUUID: Bool

        /// Whether the type of the attribute can represent a value of its column.
        ///
        /// For example, `Int16` cannot represent 40,000, and a UUID attribute can represent only strings that are
        /// UUIDs.
        package func canRepresent(_ value: Value) -> Bool {
            switch (value, type) {
            case (.double(let number), _) where number.isNaN: false
            case (.decimal(let number), _) where number.isNaN: false
            case (.integer(let number), .integer16AttributeType): Int16(exactly: number) != nil
            case (.integer(let number), .integer32AttributeType): Int32(exactly: number) != nil
            case (.double(let number), .floatAttributeType): Double(Float(number)) == number
            case (.text(let text), _) where isUUID: UUID(uuidString: text) != nil
            default: true
            }
        }
    }

    private static func attributes(of layout: EntityLayout, _ uuidSlots: ColumnSet) -> [KeyPathString: Attribute] {
        var attributes: [KeyPathString: Attribute] = [:]
        for (slot, column) in layout.columns.enumerated() {
            guard case .attribute(let type) = column.role else { continue }
            attributes[column.name] = Attribute(
                word: FieldWord(slot: slot, hasAccessors: false), kind: column.kind, type: type,
                isUUID: uuidSlots.contains(slot))
        }
        return attributes
    }
}
