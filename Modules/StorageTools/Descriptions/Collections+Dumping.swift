/// Describes arrays, sets, dictionaries, optionals, results and strings for the debugger and logs.
extension Array: CoreStoreDebugStringConvertible {
    /// The first 20 elements, and the number of the others.
    public var coreStoreDumpString: String {
        DumpTree.text(list: prefix(DumpTree.elementLimit).map { DumpTree.text(of: $0) }, count: count)
    }
}

extension Set: CoreStoreDebugStringConvertible {
    /// 20 elements in the order of their descriptions, and the number of the others.
    public var coreStoreDumpString: String {
        // Equal sets may have their elements in different orders.
        DumpTree.text(list: prefix(DumpTree.elementLimit).map { DumpTree.text(of: $0) }.sorted(), count: count)
    }
}

extension Dictionary: CoreStoreDebugStringConvertible {
    /// 20 entries in the order of their keys' descriptions, and the number of the others.
    public var coreStoreDumpString: String {
        guard !isEmpty else { return "[:]" }
        let entries = map { (DumpTree.text(of: $0.key), $0.value) }.sorted { $0.0 < $1.0 }
        let shown = entries.prefix(DumpTree.elementLimit).map { "\($0.0): \(DumpTree.text(of: $0.1))" }
        return DumpTree.text(list: shown, count: count)
    }
}

extension Optional: CoreStoreDebugStringConvertible {
    /// The value, or `nil`.
    public var coreStoreDumpString: String { map { DumpTree.text(of: $0) } ?? "nil" }
}

extension Result: CoreStoreDebugStringConvertible {
    /// The success or the failure.
    public var coreStoreDumpString: String {
        switch self {
        case .success(let value): DumpTree.text([("success", value)])
        case .failure(let error): DumpTree.text([("failure", error)])
        }
    }
}

extension String: CoreStoreDebugStringConvertible {
    /// The string in quotes.
    public var coreStoreDumpString: String { debugDescription.replacing("\\'", with: "'") }
}
