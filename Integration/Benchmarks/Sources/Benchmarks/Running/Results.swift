import Foundation

/// The measurements so far.
///
/// A measurement is refused if its check value differs from the value of the raw peer.
struct Results {
    private var measurements: [Section: [Measurement]] = [:]

    mutating func add(_ measurement: Measurement, to section: Section) throws {
        let raw = Section(workload: section.workload, peer: RawPeer.name, count: section.count)
        if let expected = measurements[raw]?.first, expected.check != measurement.check {
            throw BenchmarkError(
                "The check value of \(section.workload) is \(measurement.check) on \(section.peer), "
                    + "but \(expected.check) on raw."
            )
        }
        measurements[section, default: []].append(measurement)
    }

    /// The median time of a section, or nil if it was not measured.
    func seconds(_ section: Section) -> Double? {
        measurements[section]?.map(\.seconds).median
    }

    /// The shortest time of a section, or nil if it was not measured.
    func shortest(_ section: Section) -> Double? {
        measurements[section]?.map(\.seconds).min()
    }

    /// The median peak memory of a section in megabytes.
    func megabytes(_ section: Section) -> Double? {
        measurements[section]?.map { Double($0.peakMemory) / 1_024 }.median
    }

    /// The median number of bytes that a section kept in memory.
    func keptBytes(_ section: Section) -> Double? {
        measurements[section]?.compactMap(\.keptMemory).map(Double.init).median
    }

    func json() throws -> String {
        struct Entry: Encodable {
            let section: Section
            let medianSeconds: Double
            let measurements: [Measurement]
        }
        let entries = measurements.map { section, all in
            Entry(section: section, medianSeconds: all.map(\.seconds).median ?? 0, measurements: all)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let order = { (section: Section) in section.workload + " " + section.peer }
        let sorted = entries.sorted { order($0.section) < order($1.section) }
        return String(decoding: try encoder.encode(sorted), as: UTF8.self)
    }
}

extension [Double] {
    /// The middle value, or the mean of the two middle ones.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
