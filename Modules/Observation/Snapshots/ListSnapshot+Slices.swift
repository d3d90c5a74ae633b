/// Returns slices of a list snapshot or of its sections.
extension ListSnapshot {
    /// Some items with their indexes, which are created when the program reads them.
    public typealias SubSequence = Slice<ListSnapshot<O>>

    /// The items at some indexes, as an array slice with the indexes of the whole list.
    @_disfavoredOverload
    public subscript(bounds: Range<Index>) -> ArraySlice<Element> { arraySlice(bounds) }
}

extension ListSnapshot.SectionInfo {
    /// Some items with their indexes, which are created when the program reads them.
    public typealias SubSequence = Slice<ListSnapshot<O>.SectionInfo>

    /// The items at some indexes, as an array slice with the indexes of the section.
    @_disfavoredOverload
    public subscript(bounds: Range<Index>) -> ArraySlice<Element> { arraySlice(bounds) }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the elements at some places; the slice keeps these places.
    fileprivate func arraySlice(_ bounds: Range<Int>) -> ArraySlice<Element> {
        guard bounds.upperBound > 0 else { return [] }
        // An array slice has the places of its array, which begins at 0.
        let before = repeatElement(self[bounds.isEmpty ? startIndex : bounds.lowerBound], count: bounds.lowerBound)
        return (Array(before) + bounds.map { self[$0] })[bounds]
    }
}
