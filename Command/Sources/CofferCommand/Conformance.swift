import ArgumentParser
import CofferConfiguration
import CofferConformance
import CofferStorage
import Foundation
import Synchronization

/// Runs `coffer conformance URL`: tests the backend of a URL, in a new place for each case.
struct Conformance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tests a kind of store against every conformance rule.",
        discussion: """
            The command creates stores beside the location of the URL, and removes them again. It does not change a \
            store at the location itself. Ends with the code 1 if a rule is broken.
            """)

    @Argument(help: "The URL of a location for stores.")
    var url: String

    @Option(help: "The ids of the cases to run. A * matches any text, as in 'commits/*'.")
    var cases: String?

    func run() async throws {
        try PlaceFixture.choose(url)
        let pattern = cases.map { "^" + NSRegularExpression.escapedPattern(for: $0).replacing("\\*", with: ".*") + "$" }
        let chosen = ConformanceCase.all.filter { one in
            pattern.map { one.id.range(of: $0, options: .regularExpression) != nil } ?? true
        }
        guard !chosen.isEmpty else { throw Failure(message: "There is no case '\(cases ?? "")'.") }
        var failures = 0
        for one in chosen {
            do {
                try await one.run(on: PlaceFixture.self)
                print(Terminal.green("✔ ") + one.description)
            } catch {
                failures += 1
                print(Terminal.red("✘ ") + one.description)
                print("\(error)")
            }
        }
        print("\(chosen.count - failures) passed, \(failures) failed")
        guard failures == 0 else { throw ExitCode(1) }
    }
}

/// A fixture that creates a store beside the store that a URL names.
struct PlaceFixture: StorageFixture {
    private static let chosen = Mutex<StorageURL?>(nil)

    private let url: StorageURL

    static var isPersistent: Bool { chosen.withLock { $0?.scheme } != "memory" }
    static var isShared: Bool { isPersistent }

    static func choose(_ url: String) throws {
        let configuration = try StorageConfiguration(url)
        chosen.withLock { $0 = configuration.url }
    }

    init() throws {
        guard let url = Self.chosen.withLock({ $0 }) else { throw Failure(message: "No location was chosen.") }
        let name = "coffer_conformance_\(UUID().uuidString.lowercased())"
        switch url.scheme {
        case "sqlite":
            self.url = try StorageURL(StorageURL(url.text).adding("-" + name))
        case "postgresql", "postgres": self.url = url.setting([.init("schema", name)])
        default: self.url = url
        }
    }

    func makeStore() throws -> any StorageInterface { try StorageConfiguration(url.text).makeStorage() }

    func destroy() { try? makeStore().erase() }
}

extension StorageURL {
    /// Returns the whole URL with a suffix after its location.
    func adding(_ suffix: String) -> String {
        let options = text.firstIndex(of: "?").map { text[$0...] } ?? ""
        return "\(scheme):\(location)\(suffix)\(options)"
    }
}
