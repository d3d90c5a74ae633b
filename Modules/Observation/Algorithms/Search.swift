/// Finds elements in sorted collections by binary search.
enum Search {
    /// How many elements at the beginning of a collection fulfil a condition that no later element fulfils.
    static func count<C: RandomAccessCollection>(of elements: C, while isBefore: (C.Element) -> Bool) -> Int
    where C.Index == Int {
        var (low, high) = (elements.startIndex, elements.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - elements.startIndex
    }

    /// Whether a number is among numbers in ascending order.
    static func contains(_ number: Int, in numbers: [Int]) -> Bool {
        let index = count(of: numbers) { $0 < number }
        return index < numbers.count && numbers[index] == number
    }
}
