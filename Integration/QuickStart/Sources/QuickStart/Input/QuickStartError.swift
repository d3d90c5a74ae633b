/// What stops this program, in a sentence.
struct QuickStartError: Error, CustomStringConvertible {
    let description: String
    /// What the program exits with: 2 when it was called wrongly.
    let exitCode: Int32

    init(_ description: String, exitCode: Int32 = 1) {
        self.description = description
        self.exitCode = exitCode
    }
}
