/// Removes repeated elements of a sequence.
extension Sequence {
    /// Returns the elements without repeated identities; the first element with an identity remains.
    func unique<ID: Hashable>(by identity: (Element) -> ID) -> [Element] {
        var seen: Set<ID> = []
        return filter { seen.insert(identity($0)).inserted }
    }
}
