import Foundation

/// Rounds of faults on a store; after each round, the store is compared with the reports of its workers.
struct Torture {
    /// A fault that a round causes.
    enum Kind: String, CaseIterable {
        /// Processes that write one SQLite file are killed.
        case kills
        /// File operations of a process fail.
        case faults
        /// Processes start together on a new SQLite file.
        case starts
        /// Processes open, migrate, recreate and erase one SQLite file, and may be killed.
        case sharedFiles
        /// The fault of `sharedFiles`, while file operations of one of the processes fail.
        case sharedFaults
        /// The fault of `sharedFiles` in a schema of a PostgreSQL database.
        case sharedSchemas
        /// Processes that write one schema of a PostgreSQL database are killed.
        case clientKills
        /// The PostgreSQL server ends connections.
        case endings
        /// A process of the PostgreSQL server stops for a moment, or the whole server for longer than its clients wait.
        case freezes
        /// The network to the PostgreSQL server is cut after some bytes, or silent for longer than its clients wait.
        case outages
    }

    /// A fault of `scripts/lib/faults.c`; every run has the same faults in the same order.
    private struct Fault {
        static let operations = ["write", "fsync", "truncate", "open", "read"]
        static let modes = ["once", "always", "short"]
        var operation = 0
        var mode = 0
        var number = 1

        var text: String { "\(Self.operations[operation]):\(number):\(Self.modes[mode])" }

        /// Advances to the next fault: all operations and modes with one number, then with the next number.
        mutating func advance() {
            operation = (operation + 1) % Self.operations.count
            if operation > 0 { return }
            mode = (mode + 1) % Self.modes.count
            if mode == 0 { number += 1 + number / 40 }
            if number > 400 { number = 1 }
        }
    }

    let directory: URL
    /// The URL of the PostgreSQL server that the script started.
    let serverURL: String
    /// The library that makes file operations fail.
    let shim: String
    let kinds: [Kind]
    private var random: SeededGenerator
    private var faults: [Kind: Fault] = [.faults: Fault(), .sharedFaults: Fault()]
    private var rounds: [Kind: Int] = [:]
    /// The number of faults of each kind with an effect: an error of a worker, or a stopped process.
    private var effects: [Kind: Int] = [:]
    private var total = Reports()
    /// The transactions in the file whose file operations fail.
    private var filled = Reports()

    /// - Parameter kinds: the names of the kinds of rounds, separated by commas; an empty string means all kinds.
    init(directory: URL, serverURL: String, shim: String, seed: UInt64, kinds: String) throws {
        let names = kinds.split(separator: ",").map(String.init)
        self.kinds = names.isEmpty ? Kind.allCases : names.compactMap(Kind.init)
        guard names.isEmpty || self.kinds.count == names.count else {
            throw Failure("Unknown kind of rounds: \(kinds). The kinds are \(Kind.allCases.map(\.rawValue)).")
        }
        self.directory = directory
        self.serverURL = serverURL
        self.shim = shim
        random = SeededGenerator(seed: seed)
    }

    /// Runs rounds for some seconds, and at least one round of each kind.
    mutating func run(seconds: Double) throws {
        let end = Date().addingTimeInterval(seconds)
        var round = 0
        while round < kinds.count || Date() < end {
            let kind = kinds[round % kinds.count]
            round += 1
            let reports: Reports
            do {
                reports = try play(kind, round)
            } catch {
                throw Failure("Round \(round), \(kind), \(faults[kind]?.text ?? "no failing files"): \(error)")
            }
            effects[kind, default: 0] += reports.codes.keys.count { !Self.sharingCodes.contains($0) }
            faults[kind]?.advance()
            rounds[kind, default: 0] += 1
            total = total + reports
            if round % 500 == 0 { Worker.say(summary) }
        }
        Worker.say(summary)
        guard !total.saved.isEmpty, !total.codes.isEmpty else {
            throw Failure("Nothing was saved, or nothing failed, so nothing was tested.")
        }
        for kind in [Kind.faults, .sharedFaults, .endings, .freezes, .outages] {
            guard rounds[kind, default: 0] < 10 || effects[kind, default: 0] > 0 else {
                throw Failure("\(rounds[kind] ?? 0) rounds of \(kind) had no effect.")
            }
        }
    }

    private var summary: String {
        let kinds = kinds.map { "\($0) \(rounds[$0] ?? 0)" }.joined(separator: ", ")
        // Some codes have a message, which is omitted.
        let short = Dictionary(total.codes.map { ($0.key.prefix { $0 != ":" }, $0.value) }, uniquingKeysWith: +)
        let codes = short.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "Rounds: \(kinds). Transactions: \(total.saved.count) acknowledged, \(total.refused.count) refused, "
            + "\(total.unknown.count) of unknown outcome; none lost, none untrue. Errors: \(codes)."
    }

    private mutating func play(_ kind: Kind, _ round: Int) throws -> Reports {
        switch kind {
        case .kills, .faults, .starts, .sharedFiles, .sharedFaults:
            let place = directory.appending(path: "\(kind)-\(round)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            // No other process uses this file. With a long timeout, the process would only wait for itself.
            let url = "sqlite://\(place.path)/shop.sqlite?timeout=\(kind == .faults ? 1 : 30)"
            let reports: Reports
            switch kind {
            case .kills: reports = try kills(url, round)
            case .faults: reports = try faults(url, place, round)
            case .sharedFiles: reports = try shared(url, round)
            case .sharedFaults: reports = try shared(url, round, failing(faults[kind], in: place))
            default: reports = try starts(url, round)
            }
            try Judge.check(url, reports, isShared: kind == .sharedFiles || kind == .sharedFaults)
            // After a failure, the files are not removed, so that they can be examined.
            try FileManager.default.removeItem(at: place)
            return reports
        case .endings, .freezes, .outages, .sharedSchemas, .clientKills:
            let schema = "torture_\(round)"
            let url = "\(serverURL)?application_name=\(Server.applicationName)&schema=\(schema)"
            let server = try Server(serverURL)
            let reports: Reports
            switch kind {
            case .sharedSchemas: reports = try shared(url, round)
            case .clientKills: reports = try kills(url, round)
            default: reports = try disturbed(url, kind, round, server)
            }
            try server.waitForWorkers()
            try Judge.check(url, reports, isShared: kind == .sharedSchemas)
            server.drop(schema: schema)
            return reports
        }
    }

    /// Returns the arguments of a worker.
    private mutating func work(_ url: String, _ number: Int, _ transactions: Int) -> [String] {
        ["work", url, "\(number)", "\(random.next())", "\(transactions)"]
    }

    private func reports(_ crew: Crew, allowingKills: Bool) throws -> Reports {
        var reports = Reports()
        for output in try crew.finish(allowingKills: allowingKills) { try reports.add(output) }
        return reports
    }

    /// Kills the writers of a store twice; the second writers first recover the file.
    private mutating func kills(_ url: String, _ round: Int) throws -> Reports {
        var sum = Reports()
        for turn in 0..<2 {
            let crew = Crew()
            for index in 0..<Int.random(in: 1...3, using: &random) {
                try crew.start(work(url, (round * 2 + turn) * 4 + index + 1, 100_000))
            }
            // Connecting to a server takes longer than opening a file.
            usleep(.random(in: 20_000...(url.hasPrefix("sqlite:") ? 400_000 : 1_000_000), using: &random))
            crew.kill()
            sum = sum + (try reports(crew, allowingKills: true))
        }
        return sum
    }

    /// Makes file operations fail in a process that writes a copy of one file.
    private mutating func faults(_ url: String, _ place: URL, _ round: Int) throws -> Reports {
        let model = directory.appending(path: "model.sqlite")
        if !FileManager.default.fileExists(atPath: model.path) {
            let calm = Crew()
            try calm.start(work("sqlite://\(model.path)", 1, 20))
            filled = try reports(calm, allowingKills: false)
        }
        // Every fifth process must create the file.
        let isNew = round / kinds.count % 5 == 0
        var sum = isNew ? Reports() : filled
        if !isNew { try FileManager.default.copyItem(at: model, to: place.appending(path: "shop.sqlite")) }
        let crew = Crew()
        try crew.start(
            work(url, round * 4 + 2, 25), failing(faults[.faults], in: place))
        sum = sum + (try reports(crew, allowingKills: false))
        return sum
    }

    /// Returns the environment of a process whose file operations fail.
    private func failing(_ fault: Fault?, in place: URL) -> [String: String] {
        ["LD_PRELOAD": shim, "COFFER_FAULT": fault?.text ?? "", "COFFER_FAULT_PATH": place.path]
    }

    private mutating func starts(_ url: String, _ round: Int) throws -> Reports {
        let crew = Crew()
        for index in 0..<4 { try crew.start(work(url, round * 4 + index + 1, 8)) }
        return try reports(crew, allowingKills: false)
    }

    /// Lets processes of two versions share a place; half of the crews erase stores that others have closed.
    ///
    /// - Parameter environment: the environment of the first process.
    private mutating func shared(
        _ url: String, _ round: Int, _ environment: [String: String] = [:]
    ) throws -> Reports {
        let crew = Crew()
        let isDestructive = Bool.random(using: &random)
        for index in 0..<Int.random(in: 2...4, using: &random) {
            try crew.start(
                ["share", url, "\(round * 4 + index + 1)", "\(random.next())", "6", "\(isDestructive)"],
                index == 0 ? environment : [:])
        }
        let kills = Bool.random(using: &random)
        if kills {
            usleep(.random(in: 50_000...600_000, using: &random))
            crew.kill()
        }
        var (all, healthy) = (Reports(), Reports())
        for (index, output) in try crew.finish(allowingKills: kills).enumerated() {
            try all.add(output)
            if index > 0 || environment.isEmpty { try healthy.add(output) }
        }
        let wrong = healthy.codes.keys.filter { !Self.sharingCodes.contains($0) }
        guard wrong.isEmpty else { throw Failure("Errors that do not result from sharing a place: \(wrong).") }
        return all
    }

    /// The codes of errors that can result from sharing a place.
    private static let sharingCodes = ["busy", "schemaMismatch", "conflict", "unknownOutcome"]

    /// Disturbs the server, or the network to it, while workers write.
    private mutating func disturbed(
        _ url: String, _ kind: Kind, _ round: Int, _ server: Server
    ) throws -> Reports {
        // A long disturbance lasts longer than these clients wait. It takes much time, so it is rare.
        let isLong = kind != .endings && (round - 1) / kinds.count % 12 == 0
        guard var place = URLComponents(string: url), let port = place.port else {
            throw Failure("The server's URL has no port: \(url).")
        }
        let relay: Relay?
        if kind == .outages {
            let limits = isLong ? nil : 1...Int.random(in: 1_000...200_000, using: &random)
            relay = try Relay(to: port, cuttingAfter: limits, seed: random.next())
        } else {
            relay = nil
        }
        defer { relay?.end() }
        place.port = relay?.port ?? port
        if isLong {
            place.queryItems?.append(contentsOf: [
                .init(name: "server-check", value: "1"), .init(name: "connect_timeout", value: "2"),
            ])
        }
        let crew = Crew()
        for index in 0..<2 {
            try crew.start(work(place.string ?? url, round * 4 + index + 1, isLong ? 400 : 40))
        }
        if isLong { try server.waitForOneWorker() }
        for _ in 0..<(isLong ? 1 : Int.random(in: 2...6, using: &random)) {
            usleep(.random(in: 20_000...(isLong ? 400_000 : 150_000), using: &random))
            switch kind {
            case .freezes where isLong: try server.freeze(microseconds: 8_000_000)
            case .freezes:
                let isStopped = server.freezeOne(microseconds: .random(in: 10_000...300_000, using: &random))
                if isStopped { effects[kind, default: 0] += 1 }
            case .outages: relay?.fallSilent(microseconds: isLong ? 8_000_000 : .random(in: 1...50_000, using: &random))
            default: server.endOne()
            }
        }
        return try reports(crew, allowingKills: false)
    }
}
