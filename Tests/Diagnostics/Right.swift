import Coffer
import Foundation

// Clauses that must compile. scripts/check-diagnostics compiles them and measures each expression.

func right(ann: Person?, day: Date) {
    // Closures.
    _ = dogs.where { $0.$age > 3 }
    _ = dogs.where { $0.$age > 3 && $0.$name == "Rex" && $0.$weight < 2.5 }
    _ = dogs.where { $0.$age > 3 || $0.$name == "Rex" && $0.$weight < 2.5 || $0.$nickname != nil }
    _ = dogs.where { $0.$age * 2 + 1 - 3 > 4 && $0.$weight * 2 + 1.5 > 2.25 }
    _ = dogs.where { $0.$age * 2 > $0.$tricks + 1 && $0.$age > $0.$tricks }
    _ = dogs.where { 2 * $0.$age + $0.$tricks * 3 - $0.$age > 4 && $0.$height * 2 + 1 == 5 }
    _ = dogs.where { (10 - $0.$age) * 2 > $0.$tricks / 2 }
    _ = dogs.where { $0.$weight / 2 + $0.$height > 3 && ($0.$master ~ \.$age) * 2 - $0.$age * 3 > 1 }
    _ = dogs.where { $0.$nickname == nil && $0.$name == maybe && $0.$nickname == maybe }
    _ = dogs.where { $0.$master == ann && $0.$species == "Dog" }
    _ = dogs.where { $0.$master == nil || ($0.$master ~ \.$name) == "Ann" }
    _ = dogs.where { ($0.$master ~ \.$pets).count() > limit }
    _ = dogs.where { 3...5 ~= $0.$age && ["Rex", "Bo"] ~= $0.$name }
    _ = dogs.where { $0.$born > day && $0.$height <= 1.5 }
    _ = dogs.where { $0.$name.beginsWith("R", options: .caseInsensitive) && !$0.$name.contains("x") }
    _ = people.where { $0.$pets.count() == 2 && ($0.$pets ~ \.$age).any() > 8 && $0.$age >= 18 }
    _ = people.where { ($0.$pets ~ \.$age).max() > limit && ($0.$pets ~ \.$weight).sum() < 20.5 }
    _ = people.where { $0.$pets.count { $0.$age > 3 && $0.$name != "Rex" } > 1 }
    _ = dogs.where { $0.$age.between(3...5) && ($0.$name ^= "R") }
    _ = Where<Dog> { $0.$age > 3 && $0.$name == "Rex" }
    // Key paths.
    _ = dogs.where(\.$age > 3)
    _ = dogs.where(\.$age > 3 && \.$name == "Rex" && \.$weight < 2.5)
    _ = dogs.where(\.$age > 3 && \.$name == "Rex" && \.$weight < 2.5 && \.$nickname != nil)
    _ = dogs.where(\.$age > 3 || \.$name == "Rex" && \.$weight < 2.5 || \.$nickname == "R")
    _ = dogs.where(\.$age > limit && \.$nickname == maybe && \.$species == "Dog" && \.$master == nil)
    _ = dogs.where(\.$age * 2 + 1 > 4)
    _ = dogs.where(\.$weight * 2 + 1.5 > 2.25)
    _ = dogs.where(\.$age * 2 > 1 && \.$age + \.$tricks > 4)
    _ = dogs.where(\.$age * 2 + \.$tricks > 4)
    _ = dogs.where(\Dog.$age * 2 + 1 - 3 > 4 && \Dog.$weight * 2 + 1.5 > 2.25)
    _ = dogs.where(\Dog.$age * 2 + \Dog.$tricks > 4 && 2 * \Dog.$age > 5)
    _ = dogs.where((\.$master ~ \.$name) == "Ann" && \.$age > 3 && \.$species == "Dog")
    _ = dogs.where((\.$master ~ \.$age) - 1 > 5)
    _ = dogs.where(\Animal.$species == "Dog" && \Dog.$age == 10)
    _ = dogs.where(3...5 ~= \.$age && ["Rex", "Bo"] ~= \.$name)
    _ = people.where((\Person.$pets).count() == 2 && (\Person.$pets ~ \.$age).any() > 8)
    // Orders, selections, groups, sections.
    _ = dogs.where { $0.$age > 3 }.orderBy(.descending(\.$age), .ascending(\.$name))
    _ = dogs.orderBy(.ascending { ($0.$master ~ \.$name) })
    _ = dogs.select(Double.self, .average(\.$age)).where { $0.$age > 3 && $0.$name != "Rex" }
    _ = dogs.select(NSDictionary.self, .attribute(\.$name), .count(\.$age)).groupBy(\.$name)
}

/// A logger as programs for CoreStore write them: a class with state, and the module's name before a type.
class Log: CoreStoreLogger {
    var count = 0

    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        count += 1
    }

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        count += 1
    }

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {
        if !condition() { print(message()) }
    }

    func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {}
}

func installing() {
    CoreStoreDefaults.logger = Log()
}
