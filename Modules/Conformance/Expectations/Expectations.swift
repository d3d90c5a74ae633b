import CofferStorage

/// The failure of an expectation such as `expectEqual`, which becomes a ``ConformanceFailure``.
struct Mismatch: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

func expect(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    if !condition { throw Mismatch("  expected: \(rule())") }
}

func expectEqual<T: Equatable>(_ found: T, _ expected: T, _ what: @autoclosure () -> String) throws {
    guard found != expected else { return }
    throw Mismatch("  \(withoutModules(what()))\n  expected: \(shown(expected))\n  found:    \(shown(found))")
}

/// Checks that a closure throws a `StorageError` and, if they are passed, its code, message and words.
@discardableResult
func expectThrows<Result>(
    _ code: StorageError.Code?, saying message: String? = nil, naming words: [String] = [],
    _ what: @autoclosure () -> String, _ body: () throws -> Result
) throws -> StorageError {
    let expected = "  \(what())\n  expected: \(code.map { "the error \($0.rawValue)" } ?? "an error")"
    do {
        _ = try body()
    } catch let error as StorageError {
        guard code == nil || error.code == code else { throw Mismatch("\(expected)\n  found:    \(error)") }
        if let message { try expectEqual(error.message, message, "the message of the error of \(what())") }
        for word in words {
            try expect(error.message.contains(word), "an error that names \(word) for \(what()), and not \(error)")
        }
        return error
    }
    throw Mismatch("\(expected)\n  found:    no error")
}

/// Returns the description of a value; a long description is cut, because people read failures.
private func shown(_ value: some Any) -> String {
    let text = withoutModules(String(describing: value))
    return text.count <= 1_500 ? text : "\(text.prefix(1_500))… (\(text.count) characters)"
}

/// Removes the names of modules and enclosing types from the description of nested enums.
private func withoutModules(_ text: String) -> String {
    ["CofferStorage.", "RowPredicate.", "RowExpression.", "ColumnKind.", "ValueRequest."].reduce(text) {
        $0.replacing($1, with: "")
    }
}
