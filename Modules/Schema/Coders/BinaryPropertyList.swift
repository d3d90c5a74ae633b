import Foundation

/// Parses the structure of a binary property list and checks its bounds, without decoding objects.
struct BinaryPropertyList {
    /// The kind of an object, as far as its bounds depend on it.
    private enum Object {
        case value
        case text(Range<Int>)
        /// A place in an archive's list of objects.
        case uid(Int)
        /// The objects of an array or set, or the keys and then the values of a dictionary.
        case container([Int])
    }

    private let bytes: [UInt8]
    private var objects: [Object] = []
    private let top: Int

    /// - Throws: an error if an object is outside the data, or refers to an object that does not exist.
    init(_ data: Data) throws {
        bytes = [UInt8](data)
        guard bytes.count >= 8 + 32 else { throw PropertyListBounds.notAList }
        let trailer = bytes.count - 32
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw PropertyListBounds.notAList }
        let count = try Self.integer(bytes, trailer + 8, 8)
        top = try Self.integer(bytes, trailer + 16, 8)
        let table = try Self.integer(bytes, trailer + 24, 8)
        // Each object takes a byte and a place in the table.
        guard count <= bytes.count, top < count, table <= trailer, table + count * offsetSize <= trailer else {
            throw PropertyListBounds.tooLarge
        }
        for index in 0..<count {
            let place = try Self.integer(bytes, table + index * offsetSize, offsetSize)
            objects.append(try Self.object(bytes, place, until: table, referenceSize, count))
        }
    }

    private static func integer(_ bytes: [UInt8], _ place: Int, _ size: Int) throws -> Int {
        guard place <= bytes.count - size else { throw PropertyListBounds.tooLarge }
        let value = bytes[place..<place + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let value = Int(exactly: value) else { throw PropertyListBounds.tooLarge }
        return value
    }

    private static func object(
        _ bytes: [UInt8], _ start: Int, until end: Int, _ referenceSize: Int, _ objectCount: Int
    ) throws -> Object {
        guard start < end else { throw PropertyListBounds.tooLarge }
        let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 15))
        if kind == 8 { return .uid(try integer(bytes, start + 1, min(low + 1, 8))) }
        guard kind >= 4 else { return .value }
        var (count, place) = (low, start + 1)
        if low == 15 {
            guard place < end, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { throw PropertyListBounds.tooLarge }
            let size = 1 << Int(bytes[place] & 15)
            count = try integer(bytes, place + 1, size)
            place += 1 + size
        }
        let sizes: [UInt8: Int] = [
            4: 1, 5: 1, 6: 2, 0xA: referenceSize, 0xB: referenceSize, 0xC: referenceSize, 0xD: 2 * referenceSize,
        ]
        guard let size = sizes[kind] else { return .value }
        guard count <= bytes.count, place + count * size <= end else { throw PropertyListBounds.tooLarge }
        if kind == 5 { return .text(place..<place + count) }
        guard kind >= 0xA else { return .value }
        var references: [Int] = []
        for index in 0..<count * size / referenceSize {
            let reference = try integer(bytes, place + index * referenceSize, referenceSize)
            guard reference < objectCount else { throw PropertyListBounds.tooLarge }
            references.append(reference)
        }
        return .container(references)
    }

    // MARK: Bounds

    /// Refuses containers that are too deep, contain themselves, or are too large because of repeated references.
    func checkBounds() throws {
        var sizes = Array(repeating: 1, count: objects.count)
        try Self.walk([top], count: objects.count, allowsCycles: false, children) { node, children in
            for child in children { sizes[node] = sizes[node].addingReportingOverflow(sizes[child]).partialValue }
            // An object that is written once counts once for each reference to it, and a reference takes a byte.
            guard sizes[node] <= 8 * bytes.count else { throw PropertyListBounds.tooLarge }
        }
    }

    /// Refuses a keyed archive whose objects are too deep, or refer to objects that do not exist.
    ///
    /// - Parameter allowsCycles: whether objects may refer to each other in cycles, as objects of classes may.
    func checkArchive(allowsCycles: Bool) throws {
        guard case .container(let archived)? = member("$objects").map({ objects[$0] }), let root = member("$top") else {
            throw FieldCodingError("The bytes are not an archive, or the archive is damaged.")
        }
        func references(_ index: Int) throws -> [Int] {
            var (found, open) = ([Int](), [index])
            while let next = open.popLast() {
                switch objects[next] {
                case .uid(let place):
                    guard place < archived.count else { throw PropertyListBounds.tooLarge }
                    found.append(place)
                case .container(let children): open += children
                default: break
                }
            }
            return found
        }
        try Self.walk(references(root), count: archived.count, allowsCycles: allowsCycles) {
            try references(archived[$0])
        }
    }

    private func member(_ name: String) -> Int? {
        guard case .container(let members) = objects[top] else { return nil }
        for (key, value) in zip(members.prefix(members.count / 2), members.suffix(members.count / 2)) {
            if case .text(let range) = objects[key], bytes[range].elementsEqual(name.utf8) { return value }
        }
        return nil
    }

    private func children(_ node: Int) -> [Int] {
        if case .container(let children) = objects[node] { children } else { [] }
    }

    /// Visits the roots and their descendants, each node once and after its children, without recursion.
    private static func walk(
        _ roots: [Int], count: Int, allowsCycles: Bool, _ children: (Int) throws -> [Int],
        _ visit: (_ node: Int, _ children: [Int]) throws -> Void = { _, _ in }
    ) throws {
        // The depth of each node; 0 before the node was reached, and -1 while its children are being visited.
        var depths = Array(repeating: 0, count: count)
        var path: [(node: Int, children: [Int], next: Int)] = []
        for root in roots where depths[root] == 0 {
            path.append((root, try children(root), 0))
            depths[root] = -1
            while let (node, below, next) = path.last {
                guard next < below.count else {
                    let depth = 1 + (below.map { max(depths[$0], 0) }.max() ?? 0)
                    guard depth <= PropertyListBounds.depthLimit else { throw PropertyListBounds.tooDeep }
                    depths[node] = depth
                    try visit(node, below)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let child = below[next]
                if depths[child] < 0, !allowsCycles { throw PropertyListBounds.tooDeep }
                guard depths[child] == 0 else { continue }
                guard path.count < PropertyListBounds.depthLimit else { throw PropertyListBounds.tooDeep }
                depths[child] = -1
                path.append((child, try children(child), 0))
            }
        }
    }
}
