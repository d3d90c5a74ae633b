import CofferEvaluation
import CofferStorage
import FoundationEssentials
import Testing

/// The order of dates.
struct DateOrderTests {
    private let seconds = 785_000_000.123_456_7

    @Test func `dates that differ by one bit are ordered by their seconds`() {
        #expect(ValueOrdering.compare(.date(seconds), .date(seconds.nextUp)) == .orderedAscending)
        #expect(ValueOrdering.compare(.date(seconds.nextUp), .date(seconds)) == .orderedDescending)
        #expect(ValueOrdering.compare(.date(seconds), .date(seconds)) == .orderedSame)
    }

    @Test func `a date and a number cannot be ordered`() {
        #expect(ValueOrdering.compare(.date(seconds), .double(seconds)) == nil)
    }
}
