/// Finds elements in sorted collections by binary search.
package enum Search {
    /// Returns the number of first elements that fulfil a condition, which no later element fulfils.
    @inlinable
    package static func count<C: RandomAccessCollection>(of elements: C, while isBefore: (C.Element) -> Bool) -> Int
    where C.Index == Int {
        var (low, high) = (elements.startIndex, elements.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - elements.startIndex
    }

    /// Whether an element is among elements in ascending order.
    @inlinable
    package static func contains<Element: Comparable>(_ element: Element, in elements: [Element]) -> Bool {
        let index = count(of: elements) { $0 < element }
        return index < elements.count && elements[index] == element
    }
}
