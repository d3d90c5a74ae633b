import Coffer
import CofferInMemory
import Foundation

/// A counter of unexpected values.
@MainActor
enum Checks {
    private static var failures = 0

    /// Returns a logger that keeps the warnings of the library from now on.
    static func recordWarnings() -> WarningLog {
        let log = WarningLog()
        CoreStoreDefaults.logger = log
        return log
    }

    static func expect<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
        guard value != expected else { return }
        failures += 1
        print("** error: line \(line): \(value) should be \(expected)")
    }

    static func end() -> Never { exit(failures == 0 ? 0 : 1) }
}

/// A logger that keeps warnings and passes all other messages to the default logger.
// Sendable: the programs use the main queue only.
final class WarningLog: CoreStoreLogger, @unchecked Sendable {
    var warnings: [String] = []
    private let rest = DefaultLogger()

    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        if level == .warning { warnings.append(message) }
    }

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        rest.log(
            error: error, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName)
    }

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {
        rest.assert(
            condition(), message: message(), fileName: fileName, lineNumber: lineNumber, functionName: functionName)
    }
}

extension DataStack {
    /// Returns a data stack with people in memory.
    @MainActor
    static func people(_ names: String...) throws -> DataStack {
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")]))
        try stack.addStorageAndWait(InMemoryStore())
        for name in names { try stack.add(name) }
        return stack
    }

    @MainActor
    func add(_ name: String, age: Int = 1) throws {
        try perform(synchronous: { transaction in
            let person = transaction.create(Into<Person>())
            (person.name, person.age) = (name, age)
        })
    }

    @MainActor
    func rename(_ name: String, to newName: String) throws {
        try perform(synchronous: { transaction in
            try transaction.fetchOne(From<Person>().where(\.$name == name))?.name = newName
        })
    }

    @MainActor
    func remove(_ name: String) throws {
        try perform(synchronous: { transaction in
            _ = try transaction.deleteAll(From<Person>().where(\.$name == name))
        })
    }
}
