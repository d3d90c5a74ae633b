import CofferCLibPQ
import Foundation

/// Rounds of faults on a store, each followed by a comparison of the store with what its workers reported.
struct Torture {
    /// A fault that a round brings about.
    enum Kind: CaseIterable {
        /// Processes that write one SQLite file are killed.
        case kills
        /// File operations of a process fail.
        case faults
        /// Processes that start together on a new SQLite file.
        case starts
        /// The PostgreSQL server ends connections.
        case endings
        /// The PostgreSQL server's processes stop for a moment.
        case freezes
    }

    /// A fault of `scripts/lib/faults.c`; the same ones come in the same order in every run.
    private struct Fault {
        static let operations = ["write", "fsync", "truncate", "open", "read"]
        static let modes = ["once", "always", "short"]
        var operation = 0
        var mode = 0
        var number = 1

        var text: String { "\(Self.operations[operation]):\(number):\(Self.modes[mode])" }

        /// The next one: all operations and modes with one number, then with the next number.
        mutating func advance() {
            operation = (operation + 1) % Self.operations.count
            if operation > 0 { return }
            mode = (mode + 1) % Self.modes.count
            if mode == 0 { number += 1 + number / 40 }
            if number > 400 { number = 1 }
        }
    }

    let directory: URL
    /// The URL of a PostgreSQL server of the script's own.
    let server: String
    /// The library that makes file operations fail.
    let shim: String
    private var random: SeededGenerator
    private var fault = Fault()
    private var rounds: [Kind: Int] = [:]
    private var total = Reports()
    /// The transactions in the file that file operations fail on.
    private var filled = Reports()

    init(directory: URL, server: String, shim: String, seed: UInt64) {
        self.directory = directory
        self.server = server
        self.shim = shim
        random = SeededGenerator(seed: seed)
    }

    /// Goes on for some seconds, and for as many rounds as there are kinds at least.
    mutating func run(seconds: Double) throws {
        let end = Date().addingTimeInterval(seconds)
        var round = 0
        while round < Kind.allCases.count || Date() < end {
            let kind = Kind.allCases[round % Kind.allCases.count]
            round += 1
            let reports: Reports
            do {
                reports = try play(kind, round)
            } catch {
                throw Failure("Round \(round), \(kind), \(fault.text): \(error)")
            }
            rounds[kind, default: 0] += 1
            total = total + reports
            if round % 500 == 0 { print(summary) }
        }
        print(summary)
        guard !total.saved.isEmpty, !total.unknown.isEmpty, !total.codes.isEmpty else {
            throw Failure("Nothing was saved, or nothing failed: nothing was put to the test.")
        }
    }

    private var summary: String {
        let kinds = Kind.allCases.map { "\($0) \(rounds[$0] ?? 0)" }.joined(separator: ", ")
        let codes = total.codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "Rounds: \(kinds). Transactions: \(total.saved.count) acknowledged, \(total.refused.count) refused, "
            + "\(total.unknown.count) of unknown outcome; none lost, none untrue. Errors: \(codes)."
    }

    private mutating func play(_ kind: Kind, _ round: Int) throws -> Reports {
        switch kind {
        case .kills, .faults, .starts:
            let place = directory.appending(path: "\(kind)-\(round)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            // Nobody else has the file of one process: a long wait would be for itself.
            let url = "sqlite://\(place.path)/shop.sqlite?timeout=\(kind == .faults ? 1 : 30)"
            let reports: Reports
            switch kind {
            case .kills: reports = try kills(url, round)
            case .faults: reports = try faults(url, place, round)
            default: reports = try starts(url, round)
            }
            try Judge.check(url, reports)
            // What failed stays where it can be looked at.
            try FileManager.default.removeItem(at: place)
            return reports
        case .endings, .freezes:
            let schema = "torture_\(round)"
            let url = "\(server)?schema=\(schema)"
            let reports = try disturbed(url, kind, round)
            try Judge.check(url, reports)
            let connection = PQconnectdb(server)
            defer { PQfinish(connection) }
            PQclear(PQexec(connection, "SET client_min_messages TO warning; DROP SCHEMA \"\(schema)\" CASCADE"))
            return reports
        }
    }

    /// The arguments of a worker.
    private mutating func work(_ url: String, _ number: Int, _ transactions: Int) -> [String] {
        ["work", url, "\(number)", "\(random.next())", "\(transactions)"]
    }

    private func reports(_ crew: Crew, allowingKills: Bool) throws -> Reports {
        var reports = Reports()
        for output in try crew.finish(allowingKills: allowingKills) { try reports.add(output) }
        return reports
    }

    /// Kills the writers of a file twice: the second ones recover it first.
    private mutating func kills(_ url: String, _ round: Int) throws -> Reports {
        var sum = Reports()
        for turn in 0..<2 {
            let crew = Crew()
            for index in 0..<Int.random(in: 1...3, using: &random) {
                try crew.start(work(url, (round * 2 + turn) * 4 + index + 1, 100_000))
            }
            usleep(.random(in: 20_000...400_000, using: &random))
            crew.kill()
            sum = sum + (try reports(crew, allowingKills: true))
        }
        return sum
    }

    /// Makes file operations of a process fail that writes a copy of one file.
    private mutating func faults(_ url: String, _ place: URL, _ round: Int) throws -> Reports {
        let model = directory.appending(path: "model.sqlite")
        if !FileManager.default.fileExists(atPath: model.path) {
            let calm = Crew()
            try calm.start(work("sqlite://\(model.path)", 1, 20))
            filled = try reports(calm, allowingKills: false)
        }
        // Every fifth process has to create the file.
        let isNew = round / Kind.allCases.count % 5 == 0
        var sum = isNew ? Reports() : filled
        if !isNew { try FileManager.default.copyItem(at: model, to: place.appending(path: "shop.sqlite")) }
        let crew = Crew()
        try crew.start(
            work(url, round * 4 + 2, 25),
            ["LD_PRELOAD": shim, "COFFER_FAULT": fault.text, "COFFER_FAULT_PATH": place.path])
        fault.advance()
        sum = sum + (try reports(crew, allowingKills: false))
        return sum
    }

    private mutating func starts(_ url: String, _ round: Int) throws -> Reports {
        let crew = Crew()
        for index in 0..<4 { try crew.start(work(url, round * 4 + index + 1, 8)) }
        return try reports(crew, allowingKills: false)
    }

    /// Disturbs the server's processes while workers write.
    private mutating func disturbed(_ url: String, _ kind: Kind, _ round: Int) throws -> Reports {
        let connection = PQconnectdb(server)
        defer { PQfinish(connection) }
        let crew = Crew()
        for index in 0..<2 {
            try crew.start(work(url + "&application_name=torture", round * 4 + index + 1, 40))
        }
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            usleep(.random(in: 20_000...150_000, using: &random))
            let isEnding = kind == .endings
            let result = PQexec(
                connection,
                "SELECT pid\(isEnding ? ", pg_terminate_backend(pid)" : "") FROM pg_stat_activity "
                    + "WHERE application_name = 'torture' ORDER BY random() LIMIT 1")
            defer { PQclear(result) }
            guard !isEnding, PQntuples(result) == 1, let pid = pid_t(String(cString: PQgetvalue(result, 0, 0))) else {
                continue
            }
            kill(pid, SIGSTOP)
            usleep(.random(in: 10_000...300_000, using: &random))
            kill(pid, SIGCONT)
        }
        return try reports(crew, allowingKills: false)
    }
}
