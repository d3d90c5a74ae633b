import CofferStorage
import CofferStorageTools
import Foundation

/// Draws the progress of a copy in the terminal: a bar, the rate and the remaining time.
struct ProgressBar {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private var isDrawn = false

    private static let width = 30
    private static let interval = Duration.milliseconds(100)

    init(isShown: Bool) { self.isShown = isShown }

    mutating func show(_ report: CopyReport) {
        let now = ContinuousClock.now
        guard isShown, lastDrawn.map({ now - $0 >= Self.interval }) ?? true else { return }
        lastDrawn = now
        isDrawn = true
        write("\r\u{1B}[K" + Self.line(report, seconds: (now - start) / .seconds(1)))
    }

    mutating func clear() {
        if isDrawn { write("\r\u{1B}[K") }
        isDrawn = false
    }

    /// Returns the progress line after a number of seconds.
    ///
    /// Writing the copy and reading it back each count as half of the work.
    static func line(_ report: CopyReport, seconds: Double) -> String {
        let before = report.phase == .copying ? 0 : report.total
        let done = before + min(report.done, report.total)
        let fraction = report.total == 0 ? 1 : Double(done) / Double(2 * report.total)
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        var line = "\(report.phase == .copying ? "copying  " : "verifying") \(bar) \(Int(fraction * 100)) %"
        guard done > 0, seconds > 0 else { return line }
        line += "  \(Int(Double(done) / seconds).grouped)/s"
        let left = seconds * (1 - fraction) / fraction
        return line + "  \(left < 90 ? "\(Int(left.rounded(.up))) s" : "\(Int((left / 60).rounded(.up))) min") left"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
