import Foundation

/// What the program tells its user: titled steps with their duration, facts, and things that had to be so.
final class Report {
    private(set) var checks = 0
    private(set) var failures = 0
    private let start = ContinuousClock.now

    func title(_ text: String, _ detail: String) {
        print("\n\(Style.bold(text))  \(Style.dim(detail))\n")
    }

    /// Runs a step and prints its name and how long it took, then what it has to say.
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

    /// Prints a mark; a wrong one makes the program fail in the end.
    func expect(_ text: String, _ holds: Bool) {
        checks += 1
        failures += holds ? 0 : 1
        print("  \(holds ? Style.green("✓") : Style.red("✗")) \(text)")
    }

    /// Prints how many of the things that had to be so were.
    func conclude() {
        let duration = Text.duration(since: start).drop { $0 == " " }
        if failures == 0 {
            print(Style.green("All \(checks) checks hold.") + Style.dim("  \(duration) in all"))
        } else {
            print(Style.red("\(failures) of \(checks) checks failed.") + Style.dim("  \(duration) in all"))
        }
    }
}
