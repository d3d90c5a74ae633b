import Foundation

/// A progress bar on one line of a terminal; without a terminal, it prints nothing.
final class ProgressBar {
    private static let width = 32

    private let total: Int
    private var done = 0

    init(total: Int) {
        self.total = max(total, 1)
        advance(by: 0)
    }

    func advance(by count: Int) {
        done += count
        let filled = min(done, total) * Self.width / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let percent = String(format: "%3d %%", done * 100 / total)
        write("\r  \(Style.cyan(bar)) \(percent)  \(Text.number(done)) of \(Text.number(total))")
    }

    func finish() {
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        if Style.isTerminal {
            FileHandle.standardOutput.write(Data(text.utf8))
        }
    }
}
