import Foundation

/// The output of the program: titled steps with their duration, facts and checks.
final class Report {
    private(set) var checks = 0
    private(set) var failures = 0
    private let start = ContinuousClock.now

    func title(_ text: String, _ detail: String) {
        print("\n\(Style.bold(text))  \(Style.dim(detail))\n")
    }

    /// Runs a step, prints its name and its duration, and then lets `tell` print the result.
    func step<Result>(_ name: String, _ body: () throws -> Result, _ tell: (Result) throws -> Void) rethrows {
        let start = ContinuousClock.now
        let result = try body()
        print("\(Style.bold(Text.padded(name, 62)))\(Style.dim(Text.duration(since: start)))")
        try tell(result)
        print("")
    }

    func fact(_ name: String, _ value: Int) {
        fact(name, Text.number(value))
    }

    func fact(_ name: String, _ value: String) {
        print("  \(Text.padded(Text.shortened(name, 34), 36))\(Style.cyan(Text.shortened(value, 34)))")
    }

    /// Prints the result of a check; a failed check makes the program fail in the end.
    func expect(_ text: String, _ holds: Bool) {
        checks += 1
        failures += holds ? 0 : 1
        print("  \(holds ? Style.green("✓") : Style.red("✗")) \(text)")
    }

    /// Prints the number of checks, or of failed checks.
    func conclude() {
        let duration = Text.duration(since: start).drop { $0 == " " }
        if failures == 0 {
            print(Style.green("All \(checks) checks hold.") + Style.dim("  \(duration) in all"))
        } else {
            print(Style.red("\(failures) of \(checks) checks failed.") + Style.dim("  \(duration) in all"))
        }
    }
}
