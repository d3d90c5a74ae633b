import Foundation

/// The times of one workload on growing numbers of rows.
struct GrowthCurve {
    /// Shorter times say more about the clock and the start of a transaction than about the growth.
    private static let shortestTime = 0.002

    private let points: [(logCount: Double, logTime: Double)]

    init(_ times: some Sequence<(Int, Double)>) {
        points = times.filter { $0.1 >= Self.shortestTime }.map { (log(Double($0.0)), log($0.1)) }
    }

    /// The slope of the line through the logarithms, by least squares; nil if fewer than three times are long enough.
    var exponent: Double? {
        guard points.count >= 3 else { return nil }
        let meanCount = points.map(\.logCount).reduce(0, +) / Double(points.count)
        let meanTime = points.map(\.logTime).reduce(0, +) / Double(points.count)
        let above = points.map { ($0.logCount - meanCount) * ($0.logTime - meanTime) }.reduce(0, +)
        let below = points.map { ($0.logCount - meanCount) * ($0.logCount - meanCount) }.reduce(0, +)
        return above / below
    }
}
