import CofferSchema
import CofferStorage
import CofferStorageTools
import CofferTransactions
import Foundation

/// Finds the section names of rows: converts values to strings, and moves the objects of a section together.
final class SectionNames {
    private let indexTitle: (String?) -> String?
    /// Whether the order may separate objects of one section.
    let mayBeApart: Bool
    private let graph: ObjectGraph
    private let keyPath: KeyPathString
    /// The expression for the value that names the section, by store.
    ///
    /// Nil if only the object has the value: for a virtual or coded field, and for a field with accessors.
    private let expressions: [ObjectIdentifier: RowExpression]?
    private var names: [String: SectionName] = [:]

    init(
        _ graph: ObjectGraph, _ keyPath: KeyPathString, _ fetch: ObjectFetch,
        indexTitle: @escaping (String?) -> String?
    ) throws(StorageError) {
        self.graph = graph
        self.keyPath = keyPath
        self.indexTitle = indexTitle
        let first = fetch.order.first
        mayBeApart = first?.expression != .keyPath(keyPath) || first?.options.isEmpty != true
        let field = graph.binding.entities[fetch.entity].fields.first { $0.descriptor.keyPath == keyPath }?.descriptor
        if let field, field.hasAccessors || field.isCoded {
            expressions = nil
            return
        }
        var expressions: [ObjectIdentifier: RowExpression] = [:]
        for store in fetch.stores {
            let sort = QuerySortDescriptor(key: keyPath, ascending: true)
            let sorts = try store.resolver.resolve([sort], entity: fetch.entity)
            expressions[ObjectIdentifier(store)] = sorts.first?.expression
        }
        self.expressions = expressions
    }

    /// Moves the objects of each section together, behind the first object of the section.
    ///
    /// - Returns: whether an object was moved.
    static func group(_ entries: inout [ListEntry]) -> Bool {
        var places: [ObjectIdentifier: Int] = [:]
        var sections: [[ListEntry]] = []
        var (isApart, last) = (false, -1)
        for entry in entries {
            guard let section = entry.section else { return false }
            if let place = places[ObjectIdentifier(section)] {
                if place != last { isApart = true }
                sections[place].append(entry)
                last = place
            } else {
                last = sections.count
                places[ObjectIdentifier(section)] = last
                sections.append([entry])
            }
        }
        if isApart { entries = Array(sections.joined()) }
        return isApart
    }

    /// Whether names are read from live objects.
    var takesObjects: Bool { expressions == nil }

    /// The relationships that names depend on, by their indexes in the model.
    var relationships: Set<Int> {
        let order = (expressions ?? [:]).values.map { RowSort($0, ascending: true) }
        return RowRequest(entity: 0, order: order).relationships
    }

    /// Returns the names of the sections of rows in one store.
    func names(of rows: [Row], in store: OpenStore) throws(StorageError) -> [SectionName] {
        guard let expressions else {
            guard let first = rows.first else { return [] }
            let objects = graph.objects(of: rows, storage: store.keySpaces[first.entity])
            return objects.map { name(Self.text(graph.value(keyPath, of: $0))) }
        }
        guard let expression = expressions[ObjectIdentifier(store)] else { return rows.map { _ in name("") } }
        if case .column(let slot, let kind) = expression {
            return rows.map { name(Self.text($0.value(slot, kind))) }
        }
        return try graph.values(of: expression, rows, in: store).map { name(Self.text($0)) }
    }

    private func name(_ text: String) -> SectionName {
        if let known = names[text] { return known }
        let made = SectionName(text, indexTitle: indexTitle(text))
        names[text] = made
        return made
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): NSNumber(value: number).stringValue
        case .decimal(let number): "\(number)"
        case .text(let text): text
        case .blob(let data): data.base64EncodedString()
        case .date(let seconds): Date.text(ofSeconds: seconds)
        case .object(let id): "\(id)"
        }
    }

    private static func text(_ value: Any?) -> String {
        switch value.flatMap({ AnyValues.unwrapped($0) }) {
        case nil: ""
        case let value as any FieldStorableType: text(value._storedValue)
        case let value?: String(describing: value)
        }
    }
}
