import CofferRecords
import CofferStorage
import Foundation

/// Maps the attributes and to-one relationships of an entity to the fields of a record file.
///
/// Attributes are written as their values. A to-one relationship is written as the unique attribute of the related row.
struct EntityFields {
    /// A to-one relationship that is a field of files.
    struct Reference {
        /// The entity of the related rows, and the slot of its unique attribute.
        let destination: EntityLayout
        let slot: Int
    }

    struct Field {
        let slot: Int
        let record: RecordField
        let reference: Reference?
    }

    let entity: EntityLayout
    let fields: [Field]
    /// The names of the properties that files do not have.
    let omitted: [String]

    /// - Throws: an error that lists the entities if the store has no such entity, or if the entity is abstract.
    init(_ name: String, in layout: ModelLayout) throws {
        entity = try Self.entity(name, in: layout)
        var fields: [Field] = []
        var omitted: [String] = []
        for column in entity.columns where column.role == .attribute(.objectIDAttributeType) {
            omitted.append(column.name)
        }
        for (slot, field) in layout.recordFields(of: entity) {
            fields.append(Field(slot: slot, record: field, reference: nil))
        }
        for relationship in entity.relationships.map({ layout.relationships[$0] }) {
            if let field = Self.field(relationship, entity, layout) {
                fields.append(field)
            } else {
                omitted.append(relationship.name)
            }
        }
        self.fields = fields
        self.omitted = omitted
    }

    static func entity(_ name: String, in layout: ModelLayout) throws -> EntityLayout {
        guard let entity = layout.entity(named: name) else {
            let names = layout.entities.map { "'\($0.name)'" }.joined(separator: ", ")
            throw Failure(message: "The store has no entity '\(name)'. Its entities are \(names).")
        }
        guard !entity.isAbstract else {
            throw Failure(message: "'\(name)' is abstract. Name one of its sub-entities.")
        }
        return entity
    }

    /// Returns the field of a relationship; nil if a file cannot contain the relationship.
    ///
    /// The inverse must be a to-many relationship without an order and without limits. The related rows must have one
    /// attribute that is unique and required, because rows without a value could not be found again.
    private static func field(
        _ relationship: RelationshipLayout, _ entity: EntityLayout, _ layout: ModelLayout
    ) -> Field? {
        let (inverse, destination) = (
            layout.relationships[relationship.inverse], layout.entities[relationship.destination]
        )
        guard case .reference(let slot, nil) = relationship.storage, inverse.isToMany, inverse.minCount == 0,
            inverse.maxCount == 0,
            let unique = layout.entities[destination.root].uniqueConstraints.first(where: { $0.count == 1 })?.first,
            !destination.columns[unique].isOptional,
            let attribute = layout.recordField(of: destination.columns[unique])
        else { return nil }
        return Field(
            slot: slot,
            record: RecordField(
                name: relationship.name, type: attribute.type, isOptional: entity.columns[slot].isOptional,
                isUUID: attribute.isUUID),
            reference: Reference(destination: destination, slot: unique))
    }

    /// Prints the omitted properties to standard error.
    func reportOmitted() {
        guard !omitted.isEmpty else { return }
        let names = omitted.map { "'\($0)'" }.joined(separator: ", ")
        let text = "coffer: The export omits \(names). 'coffer copy' copies every property."
        FileHandle.standardError.write(Data("\(Terminal.printable(text))\n".utf8))
    }
}
