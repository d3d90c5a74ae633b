import CofferClauses
public import CofferSchema
import CofferStorage
import CofferTransactions
public import Foundation

/// Returns the objects, sections and indexes of a monitored list; aborts with a message for an index out of range.
extension ListMonitor {
    // MARK: Objects

    /// The object at an index of the whole list: `people[0]`.
    ///
    /// If the index does not exist, the program stops with a message. Use `people[safeIndex: 0]` to get nil instead.
    public subscript(index: Int) -> O {
        guard tree.indices.contains(index) else {
            Diagnostics.abort("There is no object at index \(index) among \(tree.count) objects. Use 'safeIndex'.")
        }
        return object(at: index, in: tree)
    }

    /// The object at an index of the whole list; nil if the index does not exist.
    public subscript(safeIndex index: Int) -> O? { tree.indices.contains(index) ? self[index] : nil }

    /// The object at an index of a section: `people[0, 2]`.
    ///
    /// If the section or the index does not exist, the program stops with a message. Use `safeSectionIndex` to get nil
    /// instead.
    public subscript(sectionIndex: Int, itemIndex: Int) -> O {
        guard let object = self[safeSectionIndex: sectionIndex, safeItemIndex: itemIndex] else {
            Diagnostics.abort("There is no object at [\(sectionIndex), \(itemIndex)]. Use 'safeSectionIndex'.")
        }
        return object
    }

    /// The object at an index of a section; nil if the section or the index does not exist.
    public subscript(safeSectionIndex sectionIndex: Int, safeItemIndex itemIndex: Int) -> O? {
        guard let places = places(ofSection: sectionIndex), itemIndex >= 0, itemIndex < places.count else { return nil }
        return self[places.lowerBound + itemIndex]
    }

    /// The object at an index path of a section and an item.
    ///
    /// If the index path does not exist, the program stops with a message. Use `safeIndexPath` to get nil instead.
    public subscript(indexPath: IndexPath) -> O { self[indexPath[0], indexPath[1]] }

    /// The object at an index path of a section and an item; nil if the index path does not exist.
    public subscript(safeIndexPath indexPath: IndexPath) -> O? {
        indexPath.count == 2 ? self[safeSectionIndex: indexPath[0], safeItemIndex: indexPath[1]] : nil
    }

    /// The index of an object in the whole list; nil if the object is not in the list.
    public func index(of object: O) -> Int? {
        checkReading()
        return content?.index(of: object.cs_id())
    }

    /// The index path of an object; nil if the object is not in the list.
    public func indexPath(of object: O) -> IndexPath? { index(of: object).map { path(of: $0, in: tree) } }

    // MARK: Numbers

    /// Whether the list has sections; a list that is not divided has one section, even if it is empty.
    public func hasSections() -> Bool { numberOfSections() > 0 }

    /// Whether the list has objects.
    public func hasObjects() -> Bool { tree.count > 0 }

    /// Whether the list has a section with this index, and objects in it.
    public func hasObjects(in section: Int) -> Bool { !(places(ofSection: section)?.isEmpty ?? true) }

    /// The number of sections; a list that is not divided has one section, even if it is empty.
    public func numberOfSections() -> Int {
        checkReading()
        return sectionBy == nil ? 1 : tree.runCount
    }

    /// The number of all objects.
    public func numberOfObjects() -> Int { tree.count }

    /// The number of objects in a section.
    ///
    /// If the section does not exist, the program stops with a message.
    public func numberOfObjects(in section: Int) -> Int { existingPlaces(ofSection: section).count }

    /// The number of objects in a section; nil if the section does not exist.
    public func numberOfObjects(safelyIn section: Int) -> Int? { places(ofSection: section)?.count }

    // MARK: Sections

    /// The section with an index.
    ///
    /// If the section does not exist, the program stops with a message.
    public func sectionInfo(at section: Int) -> SectionInfo {
        _ = existingPlaces(ofSection: section)
        return info(ofRun: section, in: tree)
    }

    /// The section with an index; nil if the section does not exist.
    public func sectionInfo(safelyAt section: Int) -> SectionInfo? {
        places(ofSection: section).map { _ in info(ofRun: section, in: tree) }
    }

    /// The sections, in their order.
    public func sections() -> [SectionInfo] { (0..<numberOfSections()).map { info(ofRun: $0, in: tree) } }

    /// The index of the section with an index title.
    ///
    /// If no section has this title, the result is the given index, or the nearest index of a section.
    public func targetSection(forSectionIndexTitle sectionIndexTitle: String, at sectionIndex: Int) -> Int {
        let transformer = sectionBy?.sectionIndexTransformer
        let found = tree.runNames.firstIndex { transformer?($0) == sectionIndexTitle }
        return found ?? max(0, min(sectionIndex, numberOfSections() - 1))
    }

    /// The index titles of the sections, each once, in the order of the sections.
    public func sectionIndexTitles() -> [String] {
        checkReading()
        guard let sectionBy else { return [] }
        var seen: Set<String> = []
        return tree.runNames.compactMap { sectionBy.sectionIndexTransformer($0) }.filter { seen.insert($0).inserted }
    }

    // MARK: Places

    private var tree: ListTree {
        checkReading()
        return content?.tree ?? ListTree()
    }

    private func places(ofSection section: Int) -> Range<Int>? {
        guard section >= 0, section < numberOfSections() else { return nil }
        return places(ofRun: section, in: tree)
    }

    private func existingPlaces(ofSection section: Int) -> Range<Int> {
        guard let places = places(ofSection: section) else {
            Diagnostics.abort("There is no section \(section) among \(numberOfSections()) sections. Use 'safelyIn'.")
        }
        return places
    }

    private func places(ofRun run: Int, in tree: ListTree) -> Range<Int> {
        sectionBy == nil ? 0..<tree.count : tree.places(ofRun: run)
    }

    func path(of place: Int, in tree: ListTree) -> IndexPath {
        guard sectionBy != nil else { return [0, place] }
        let run = tree.run(at: place)
        return [run, place - tree.start(ofRun: run)]
    }

    func info(ofRun run: Int, in tree: ListTree) -> SectionInfo {
        let places = places(ofRun: run, in: tree)
        let name = places.isEmpty ? "" : tree[places.lowerBound].section?.text ?? ""
        return SectionInfo(
            name: name, indexTitle: sectionBy?.sectionIndexTransformer(name), numberOfObjects: places.count
        ) { places.map { self.object(at: $0, in: tree) } }
    }

    /// Returns the live object at a place of the present list or of a former list.
    func object(at place: Int, in tree: ListTree) -> O {
        guard let content, let object = liveObject(at: place, in: tree, content) as? O else {
            // Rows of an entity and its sub-entities are objects of its class and subclasses.
            Diagnostics.abort("A list of '\(O.self)' contains an object of another class.")
        }
        return object
    }

    private func liveObject(at place: Int, in tree: ListTree, _ content: ListContent) -> CoreStoreObject {
        let graph = content.request.graph
        let entry = tree[place]
        if let known = graph.knownObject(entry.id) { return known }
        if content.isCurrent, content.entry(of: entry.id)?.row.version == entry.row.version {
            // The other objects of the page are created, too, so that the related objects of all are loaded at once.
            let first = place / Self.page * Self.page
            let rows = (first..<min(first + Self.page, tree.count)).lazy.map { tree[$0] }
                .filter { $0.storage == entry.storage }.map(\.row)
            let made = graph.objects(of: Array(rows), storage: entry.storage)
            if let found = made.first(where: { $0.objectID() == entry.id }) { return found }
        }
        return graph.object(ofOld: entry.row, storage: entry.storage)
    }

    private static var page: Int { 64 }
}

extension ListMonitor where O: CoreStoreObject {
    /// All objects of the list, in order.
    public func objectsInAllSections() -> [O] { (0..<numberOfObjects()).map { self[$0] } }

    /// The objects of a section.
    ///
    /// If the section does not exist, the program stops with a message.
    public func objects(in section: Int) -> [O] { sectionInfo(at: section).objects?.compactMap { $0 as? O } ?? [] }

    /// The objects of a section; nil if the section does not exist.
    public func objects(safelyIn section: Int) -> [O]? {
        sectionInfo(safelyAt: section)?.objects?.compactMap { $0 as? O }
    }
}
