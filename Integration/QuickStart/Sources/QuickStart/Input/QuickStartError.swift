/// What stops this program, in a sentence.
struct QuickStartError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
