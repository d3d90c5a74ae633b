import CofferStorage
import CofferStorageTools
import Testing

@testable import CofferCommand

struct TerminalTests {
    @Test(arguments: [
        (CopyReport.Phase.copying, 0, 0.0, "copying   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 %"),
        (.copying, 500, 2, "copying   ███████░░░░░░░░░░░░░░░░░░░░░░░ 25 %  250/s  6 s left"),
        (.verifying, 0, 100, "verifying ███████████████░░░░░░░░░░░░░░░ 50 %  10/s  2 min left"),
        (.verifying, 1_000, 4, "verifying ██████████████████████████████ 100 %  500/s  0 s left"),
        // A row more than there were when they were counted.
        (.verifying, 1_001, 4, "verifying ██████████████████████████████ 100 %  500/s  0 s left"),
    ])
    func `a progress bar shows the progress of a copy`(
        phase: CopyReport.Phase, done: Int, seconds: Double, line: String
    ) {
        var report = CopyReport(phase: phase, done: done, total: 1_000)
        #expect(ProgressBar.line(report, seconds: seconds) == line)
        report.total = 0
        #expect(ProgressBar.line(report, seconds: seconds).contains("100 %"))
    }

    @Test func `numbers have thousands separators and sizes have units`() {
        #expect([0, 999, 1_000, 1_234_567, -12_345].map(\.grouped) == ["0", "999", "1,000", "1,234,567", "-12,345"])
        #expect(
            [0, 999, 1_000, 99_940, 150_000, 2_000_000_000].map(\.bytes)
                == ["0 bytes", "999 bytes", "1.0 KB", "99.9 KB", "150 KB", "2.0 GB"])
    }

    @Test func `control characters in names are escaped`() {
        #expect(Terminal.printable("a\u{1B}[31mb\nc\u{202E}d") == "a\\u{1b}[31mb\\u{a}c\\u{202e}d")
        #expect(Terminal.printable("Ünïcode 👩‍👧 名前") == "Ünïcode 👩‍👧 名前")
    }

    @Test func `each column is as wide as its longest text`() {
        var table = TextTable([("name", .left), ("rows", .right)])
        table.append(["Person", "12"])
        table.append(["Ö", "12,345"])
        #expect(table.lines == ["name      rows", "──────  ──────", "Person      12", "Ö       12,345"])
    }
}
