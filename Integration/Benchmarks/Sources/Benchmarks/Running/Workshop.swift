import Foundation

/// The folder in which databases are created, copied and deleted, and the child processes that work there.
final class Workshop {
    private let root: URL
    private let files = FileManager.default
    private var templates: Set<URL> = []

    init() throws {
        root = files.temporaryDirectory.appendingPathComponent("coffer-benchmarks-\(UUID().uuidString)")
        try files.createDirectory(at: root, withIntermediateDirectories: true)
    }

    func close() {
        try? files.removeItem(at: root)
    }

    /// Measures a section once, in a separate process.
    func measurement(of section: Section) throws -> Measurement {
        try JSONDecoder().decode(Measurement.self, from: run(.measure, section, by: .direct).standardOutput)
    }

    /// Returns the output of a child process that runs `task` on its own database.
    func run(_ task: Worker.Task, _ section: Section, by launcher: Launcher) throws -> Launcher.Output {
        let place = root.appendingPathComponent("run", isDirectory: true)
        defer { try? files.removeItem(at: place) }
        if let template = try template(for: section) {
            try files.copyItem(at: template, to: place)
            try settle(place)
        } else {
            try files.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let program = Peers.foreign(named: section.peer)?.launcher ?? launcher
        return try program.launch(arguments(task, section, in: place))
    }

    /// Returns the folder that is copied for a peer; nil if there is nothing to copy.
    ///
    /// For a program in another language, the folder contains the samples. For another peer, it contains a filled
    /// database, which a separate process has created.
    private func template(for section: Section) throws -> URL? {
        if Peers.foreign(named: section.peer) != nil {
            return try template("samples-\(section.count)") { try SampleFiles.write(section.count, to: $0) }
        }
        guard let workload = WorkloadID(rawValue: section.workload), workload.content != .nothing,
            try Peers.named(section.peer).keepsFiles
        else { return nil }
        return try template("\(section.peer)-\(workload.content.rawValue)-\(section.count)") { place in
            _ = try Launcher.direct.launch(arguments(.fill, section, in: place))
        }
    }

    /// Returns a folder with a name; the first call creates the folder and fills it.
    private func template(_ name: String, fill: (URL) throws -> Void) throws -> URL {
        let place = root.appendingPathComponent(name, isDirectory: true)
        if templates.insert(place).inserted {
            try files.createDirectory(at: place, withIntermediateDirectories: true)
            try fill(place)
        }
        return place
    }

    /// Waits until the copied files are on the disk, so that a measured section does not include this work.
    private func settle(_ place: URL) throws {
        for file in try files.contentsOfDirectory(at: place, includingPropertiesForKeys: nil) {
            try FileHandle(forUpdating: file).synchronize()
        }
    }

    private func arguments(_ task: Worker.Task, _ section: Section, in place: URL) -> [String] {
        [Worker.command, task.rawValue, section.workload, section.peer, String(section.count), place.path]
    }
}
