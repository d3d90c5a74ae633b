import CofferStorage

/// Reopens the data of a closed store with an equal model that orders entities or properties differently.
extension StoreContent {
    /// The same data, ready for a layout whose model is equal but may list its entities and properties otherwise.
    ///
    /// - Throws: `schemaMismatch` when the models differ.
    func reopened(_ layout: ModelLayout) throws(StorageError) -> StoreContent {
        guard metadata.model != layout.model else {
            return self
        }
        guard metadata.model.isCompatible(with: layout.model) else {
            throw .schemaMismatch("the store in memory", stored: metadata.model, opened: layout.model)
        }
        let keys = KeyCounter(layout)
        keys.continueFrom(self.keys)
        return StoreContent(
            metadata: StoreMetadata(store: metadata.store, model: layout.model),
            snapshot: try snapshot.translated(to: layout), keys: keys
        )
    }
}

extension Snapshot {
    /// The same rows and links under the numbers of another layout of an equal model.
    fileprivate func translated(to layout: ModelLayout) throws(StorageError) -> Snapshot {
        let empty = Snapshot(layout)
        var tables = empty.tables
        for entity in self.layout.entities where entity.root == entity.index {
            guard let root = layout.index(of: entity.name), let plan = empty.plans[root] else { continue }
            guard let table = empty.tables[root] else { continue }
            let changes = TableChanges(
                plan, table, insertCount: self.tables[entity.index]?.rows.count ?? 0, changeCount: 0)
            let columns = slots(in: layout)
            forEachRow(root: entity.index) { row in
                if let row = translated(row, layout, columns[row.entity]) {
                    changes.changes.append(.init(key: row.key, old: nil, new: row, isIndexed: true))
                }
                return true
            }
            tables[root] = try changes.applied()
        }
        return Snapshot(after: empty, tables: tables, links: translatedLinks(layout, empty.links))
    }

    /// For each entity, where each slot's value comes from.
    private func slots(in layout: ModelLayout) -> [[Int]] {
        self.layout.entities.map { entity in
            layout.entity(named: entity.name)?.columns.map { entity.slot(named: $0.name) ?? -1 } ?? []
        }
    }

    private func translated(_ row: Row, _ layout: ModelLayout, _ slots: [Int]) -> Row? {
        guard let entity = layout.entity(named: self.layout.entities[row.entity].name) else { return nil }
        let copy = RowBuilder(
            entity: entity.index, key: row.key, version: row.version, slotCount: slots.count, tailCapacity: row.tailSize
        )
        for (slot, old) in slots.enumerated() where row.slotCount > old && old >= 0 && !row.isNull(old) {
            copy.copy(slot, entity.kinds[slot], from: row, old)
        }
        return copy.build()
    }

    private func translatedLinks(_ layout: ModelLayout, _ empty: [LinkTable]) -> [LinkTable] {
        var links = empty
        for table in self.layout.linkTables {
            let first = self.layout.relationships[table.first]
            let relationship = layout.entity(named: self.layout.entities[first.owner].name)?
                .relationship(named: first.name)
            guard let relationship, case .links(let number, let isFirst) = layout.relationships[relationship].storage
            else {
                continue
            }
            self.links[table.index].forEachLink(of: number) { link in
                var link = link
                if !isFirst {
                    swap(&link.first, &link.second)
                    swap(&link.firstPosition, &link.secondPosition)
                }
                links[number].add(link)
            }
        }
        return links
    }
}
