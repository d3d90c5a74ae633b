import Foundation

/// Predicates of programs and test suites.
///
/// The files are in the folder `COFFER_DATA`. The default is the folder `shared/data` beside the repository.
enum OpenData {
    /// The folder with the tables; nil if it does not exist.
    static let folder: URL? = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let data =
            ProcessInfo.processInfo.environment["COFFER_DATA"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared/data")
        let folder = data.appending(path: "predicates")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Returns the rows of a table without its header, split at the tabs, with `\n`, `\t` and `\\` unescaped.
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
