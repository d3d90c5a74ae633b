import Foundation

/// Predicates of programs and test-suites, which lie beside the repository or where `COFFER_DATA` says.
enum OpenData {
    /// The folder with the tables; nil where they are not at hand.
    static let folder: URL? = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let data =
            ProcessInfo.processInfo.environment["COFFER_DATA"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared/data")
        let folder = data.appending(path: "predicates")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// The rows of a table without its header, cut at the tabs, in which `\n`, `\t` and `\\` are resolved.
    static func rows(_ name: String) throws -> [[String]] {
        guard let folder else { return [] }
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { unescaped(String($0)) }
        }
    }

    private static func unescaped(_ field: String) -> String {
        var text = ""
        var rest = field[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch next {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "\\": text.append("\\")
            default: text += "\\\(next)"
            }
        }
        return text
    }
}
