public import CofferStorage

/// The tables, link tables, columns and indexes of a model, with their names in the database.
public final class SQLSchema: Sendable {
    /// The model that the tables are for.
    public let layout: ModelLayout
    /// The table of each entity, by the index of the entity; all entities of a tree have the same table.
    public let tables: [SQLTable]
    /// The tables of links, by their index in ``ModelLayout/linkTables``.
    public let links: [SQLLinkTable]
    /// The shape of the rows of an entity and its sub-entities, by the index of the entity.
    public let shapes: [SQLRowShape]
    /// The shape of the rows of an entity without its sub-entities, by the index of the entity.
    public let ownShapes: [SQLRowShape]

    /// The indexes and unique constraints of the rows' tables.
    public let indexes: [SQLIndex]

    /// Creates the tables of a model, for a database with rules for names.
    public init(_ layout: ModelLayout, naming: SQLNaming = SQLNaming()) {
        self.layout = layout
        let roots = layout.entities.filter { $0.root == $0.index }
        let names = naming.names(for: roots.map(\.name))
        var tables: [Int: SQLTable] = [:]
        for root in roots {
            tables[root.index] = Self.table(of: root, named: names[root.name] ?? root.name, in: layout, naming)
        }
        let all = layout.entities.compactMap { tables[$0.root] }
        self.tables = all
        links = Self.links(of: layout, naming)
        indexes = SQLIndex.all(roots.compactMap { tables[$0.index] }, naming)
        shapes = layout.entities.map { Self.shape(of: $0.descendants, in: all[$0.index], layout) }
        ownShapes = layout.entities.map { Self.shape(of: [$0.index], in: all[$0.index], layout) }
    }

    /// The entities that have tables.
    public var roots: [EntityLayout] { layout.entities.filter { $0.root == $0.index } }

    /// The tables of rows, each once.
    package var rootTables: [SQLTable] { roots.map { tables[$0.index] } }

    /// Returns the column of a slot.
    public func column(_ slot: Int, of entity: Int) -> SQLTable.Column? {
        let table = tables[entity]
        guard let columns = table.columnsOfSlots[entity], columns.indices.contains(slot) else { return nil }
        return table.columns[columns[slot]]
    }

    private static func table(
        of root: EntityLayout, named name: String, in layout: ModelLayout, _ naming: SQLNaming
    ) -> SQLTable {
        func modelName(_ column: Column) -> String {
            column.owner == root.index ? column.name : "\(layout.entities[column.owner].name).\(column.name)"
        }
        let members = root.descendants.map { layout.entities[$0] }
        let names = naming.names(for: members.flatMap { $0.columns.map(modelName) }, areColumns: true)
        var columns: [SQLTable.Column] = []
        var indexesOfColumns: [String: Int] = [:]
        var slots: [Int: [Int]] = [:]
        var indexes: [[Int]] = []
        for member in members {
            let own = member.columns.map { column in
                let original = modelName(column)
                if let known = indexesOfColumns[original] { return known }
                columns.append(.init(name: names[original] ?? original, kind: column.kind))
                indexesOfColumns[original] = columns.count - 1
                return columns.count - 1
            }
            slots[member.index] = own
            indexes += member.indexes.map { $0.map { own[$0] } }
        }
        for relationship in layout.relationships {
            guard case .reference(let slot, let position) = relationship.storage,
                let own = slots[relationship.owner]
            else { continue }
            indexes.append([own[slot]] + (position.map { [own[$0]] } ?? []))
        }
        let rootSlots = slots[root.index] ?? []
        var seen: Set<[Int]> = []
        return SQLTable(
            root: root.index, name: name, hasEntityColumn: members.count > 1, columns: columns, columnsOfSlots: slots,
            indexes: indexes.filter { !$0.isEmpty && seen.insert($0).inserted },
            uniqueConstraints: root.uniqueConstraints.map { $0.map { rootSlots[$0] } }
        )
    }

    private static func links(of layout: ModelLayout, _ naming: SQLNaming) -> [SQLLinkTable] {
        func side(_ relationship: Int) -> String {
            let relationship = layout.relationships[relationship]
            return "\(layout.entities[relationship.owner].name)_\(relationship.name)"
        }
        let sides = layout.linkTables.map { [side($0.first), side($0.second)] }
        let canonical = sides.map { $0.min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? "" }
        let names = naming.names(for: canonical, reserved: SQLLinkTable.prefix.utf8.count)
        return layout.linkTables.enumerated().map { index, link in
            let isFirst = canonical[index] == sides[index][0]
            let (first, second) = isFirst ? ("first", "second") : ("second", "first")
            return SQLLinkTable(
                name: SQLLinkTable.prefix + (names[canonical[index]] ?? canonical[index]), first: first, second: second,
                firstPosition: link.isFirstOrdered ? "\(first) position" : nil,
                secondPosition: link.isSecondOrdered ? "\(second) position" : nil,
                isSymmetric: link.first == link.second
            )
        }
    }

    private static func shape(of entities: [Int], in table: SQLTable, _ layout: ModelLayout) -> SQLRowShape {
        let concrete = entities.filter { !layout.entities[$0].isAbstract }
        let hasEntity = table.hasEntityColumn && concrete.count > 1
        var names = [SQLTable.key, SQLTable.version] + (hasEntity ? [SQLTable.entity] : [])
        var places: [Int: Int] = [:]
        let variants = concrete.map { entity in
            let columns = (table.columnsOfSlots[entity] ?? []).map { column in
                if let place = places[column] { return place }
                names.append(table.columns[column].name)
                places[column] = names.count - 1
                return names.count - 1
            }
            return SQLRowShape.Variant(entity: entity, name: layout.entities[entity].name, columns: columns)
        }
        return SQLRowShape(hasEntity: hasEntity, variants: variants, columnNames: names)
    }
}
