import Foundation

/// One line on the terminal that says what is being measured; silent when nobody watches.
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
