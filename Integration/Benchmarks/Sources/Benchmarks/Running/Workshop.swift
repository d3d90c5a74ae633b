import Foundation

/// The folder in which databases are made, copied and thrown away, and the child processes that work there.
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

    /// The output of a child process that runs `task` on a database of its own.
    func run(_ task: Worker.Task, _ section: Section, by launcher: Launcher) throws -> Launcher.Output {
        let place = root.appendingPathComponent("run", isDirectory: true)
        defer { try? files.removeItem(at: place) }
        if let template = try template(for: section) {
            try files.copyItem(at: template, to: place)
            try settle(place)
        } else {
            try files.createDirectory(at: place, withIntermediateDirectories: true)
        }
        return try launcher.launch(arguments(task, section, in: place))
    }

    /// A filled database for this peer, made once by a process of its own; nil if there is nothing to copy.
    private func template(for section: Section) throws -> URL? {
        guard let workload = WorkloadID(rawValue: section.workload), workload.content != .nothing,
            try Peers.named(section.peer).keepsFiles
        else { return nil }
        let name = "\(section.peer)-\(workload.content.rawValue)-\(section.count)"
        let place = root.appendingPathComponent(name, isDirectory: true)
        if templates.insert(place).inserted {
            try files.createDirectory(at: place, withIntermediateDirectories: true)
            _ = try Launcher.direct.launch(arguments(.fill, section, in: place))
        }
        return place
    }

    /// Waits until the copied files are on the disk, so that no measured section pays for it.
    private func settle(_ place: URL) throws {
        for file in try files.contentsOfDirectory(at: place, includingPropertiesForKeys: nil) {
            try FileHandle(forUpdating: file).synchronize()
        }
    }

    private func arguments(_ task: Worker.Task, _ section: Section, in place: URL) -> [String] {
        [Worker.command, task.rawValue, section.workload, section.peer, String(section.count), place.path]
    }
}
