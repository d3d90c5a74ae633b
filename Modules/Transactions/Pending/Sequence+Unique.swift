/// Removes repeated elements of a sequence.
extension Sequence {
    /// The elements without those whose identity an earlier element has.
    func unique<ID: Hashable>(by identity: (Element) -> ID) -> [Element] {
        var seen: Set<ID> = []
        return filter { seen.insert(identity($0)).inserted }
    }
}
