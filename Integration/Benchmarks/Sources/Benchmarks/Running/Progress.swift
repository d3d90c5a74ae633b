import Foundation

/// Shows the current measurement in one line on the terminal; prints nothing if there is no terminal.
enum Progress {
    private static let isWatched = isatty(STDERR_FILENO) == 1

    static func show(_ text: String) {
        write("\r\u{1B}[K\(text)")
    }

    static func clear() {
        write("\r\u{1B}[K")
    }

    private static func write(_ text: String) {
        if isWatched {
            FileHandle.standardError.write(Data(text.utf8))
        }
    }
}
