import Foundation

/// A bar chart of ratios as SVG: a group of bars for each workload, and a bar for each peer.
///
/// The scale is logarithmic, so that a peer with half of the time and a peer with twice the time have bars of the
/// same length on both sides of the line at 1.
struct Chart {
    private static let colours = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2"]
    private static let (barHeight, groupGap, labelWidth, plotWidth, top) = (9.0, 8.0, 190.0, 560.0, 58.0)

    let title: String
    let peers: [String]
    /// A label, and the ratio of each peer; nil if a peer was not measured.
    let groups: [(label: String, ratios: [Double?])]

    private var largest: Double {
        max(2, groups.flatMap(\.ratios).compactMap(\.self).map { max($0, 1 / $0) }.max() ?? 2)
    }

    private func x(_ ratio: Double) -> Double {
        Self.labelWidth + Self.plotWidth * (0.5 + 0.5 * log(ratio) / log(largest))
    }

    var svg: String {
        let groupHeight = Double(peers.count) * Self.barHeight + Self.groupGap
        let bottom = Self.top + Double(groups.count) * groupHeight
        let size = (width: Self.labelWidth + Self.plotWidth + 60, height: bottom + 30)
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\" "
                + "font-family=\"sans-serif\" font-size=\"11\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            text(title, 10, 18, "font-size=\"13\" font-weight=\"bold\""),
        ]
        var left = 10.0
        for (peer, colour) in zip(peers, Self.colours) {
            lines.append(rectangle(left, 30, 10, 10, colour))
            lines.append(text(peer, left + 14, 39))
            left += 30 + Double(peer.count) * 7
        }
        for mark in [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100] where max(mark, 1 / mark) <= largest {
            let colour = mark == 1 ? "#333" : "#ddd"
            lines.append(
                "<line x1=\"\(x(mark))\" x2=\"\(x(mark))\" y1=\"\(Self.top - 6)\" y2=\"\(bottom)\" stroke=\"\(colour)\"/>"
            )
            lines.append(text("\(mark.formatted)", x(mark), bottom + 16, "text-anchor=\"middle\""))
        }
        for (place, group) in groups.enumerated() {
            let y = Self.top + Double(place) * groupHeight
            lines.append(text(group.label, 10, y + groupHeight / 2))
            for (row, ratio) in group.ratios.enumerated() {
                guard let ratio, ratio > 0 else { continue }
                let barY = y + Double(row) * Self.barHeight
                let (start, end) = (min(x(ratio), x(1)), max(x(ratio), x(1)))
                let colour = Self.colours[row % Self.colours.count]
                lines.append(rectangle(start, barY, max(1, end - start), Self.barHeight - 1, colour))
                lines.append(text(String(format: "%.2f", ratio), end + 3, barY + 8, "font-size=\"9\""))
            }
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: String) -> String {
        "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(colour)\"/>"
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ attributes: String = "") -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        return "<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(escaped)</text>"
    }
}

extension Double {
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
