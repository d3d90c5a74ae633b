import Foundation

/// What the program tells its user: titled steps with their duration, facts, and things that had to be so.
final class Report {
    private(set) var failures = 0

    func title(_ text: String, _ detail: String) {
        print("\(Style.bold(text))  \(Style.dim(detail))\n")
    }

    /// Runs a step and prints its name and how long it took, then what it has to say.
    func step<Result>(_ name: String, _ body: () throws -> Result, _ tell: (Result) throws -> Void) rethrows {
        let start = ContinuousClock.now
        let result = try body()
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        print("\(Style.bold(Self.padded(name, 58)))\(Style.dim(String(format: "%9.1f ms", milliseconds)))")
        try tell(result)
        print("")
    }

    func fact(_ name: String, _ value: some CustomStringConvertible) {
        print("  \(Self.padded(name, 30)) \(Style.cyan(value.description))")
    }

    /// Prints a mark; a wrong one makes the program fail in the end.
    func expect(_ text: String, _ holds: Bool) {
        failures += holds ? 0 : 1
        print("  \(holds ? Style.green("✓") : Style.red("✗")) \(text)")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
