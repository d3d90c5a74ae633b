/// A wrong answer, a change that was lost, or an option that is unknown.
struct LoadError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
