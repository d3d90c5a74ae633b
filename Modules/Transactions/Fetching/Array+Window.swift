/// Selects the elements of an array by an offset and a limit.
extension Array {
    /// The elements that an offset and a limit select, both of any size.
    func window(offset: Int, limit: Int?) -> ArraySlice<Element> {
        let rest = dropFirst(offset)
        return limit.map { rest.prefix($0) } ?? rest
    }
}

extension Int {
    /// The sum, or the greatest integer if the sum is greater.
    func addingUpToMax(_ other: Int) -> Int {
        let (sum, isTooGreat) = addingReportingOverflow(other)
        return isTooGreat ? .max : sum
    }
}
