import Foundation

/// The figures of one workload on growing numbers of rows.
struct GrowthCurve {
    private let points: [(logCount: Double, logFigure: Double)]

    /// Creates a curve from the figures that are not less than `least`.
    init(_ figures: some Sequence<(Int, Double)>, from least: Double) {
        points = figures.filter { $0.1 >= least }.map { (log(Double($0.0)), log($0.1)) }
    }

    /// The slope of the line through the logarithms, by least squares; nil for fewer than three points.
    var exponent: Double? {
        guard points.count >= 3 else { return nil }
        let meanCount = points.map(\.logCount).reduce(0, +) / Double(points.count)
        let meanFigure = points.map(\.logFigure).reduce(0, +) / Double(points.count)
        let above = points.map { ($0.logCount - meanCount) * ($0.logFigure - meanFigure) }.reduce(0, +)
        let below = points.map { ($0.logCount - meanCount) * ($0.logCount - meanCount) }.reduce(0, +)
        return above / below
    }
}
