/// An error that stops this program, described in a sentence.
struct QuickStartError: Error, CustomStringConvertible {
    let description: String
    /// The exit code of the program: 2 if it was called wrongly.
    let exitCode: Int32

    init(_ description: String, exitCode: Int32 = 1) {
        self.description = description
        self.exitCode = exitCode
    }
}
