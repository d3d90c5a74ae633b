import CofferClauses
import CofferSchema
import CofferStorage
import TestSupport
import Testing

// Serialized: the tests install a logger for the whole program and read its messages. Other suites overwrite no
// clause.
@Suite(.serialized)
struct OverwritingTests {
    private func warnings(applying clauses: any FetchClause...) -> [String] {
        let recorder = Recorder()
        let earlier = CoreStoreDefaults.logger
        CoreStoreDefaults.logger = recorder
        defer { CoreStoreDefaults.logger = earlier }
        let request = FetchRequest(entityName: "Dog")
        for clause in clauses { clause.applyToFetchRequest(request) }
        return recorder.messages
    }

    @Test(.pins("CLS-08")) func `the last condition replaces earlier conditions and logs a warning`() {
        #expect(
            warnings(applying: \Dog.$age > 3, \Dog.$age < 5) == [
                "warning: The condition 'age > 3' on 'Dog' was overwritten by 'age < 5'. "
                    + "Combine the two with '&&' in one 'where'."
            ]
        )
    }

    @Test(.pins("CLS-08")) func `the last order replaces earlier orders and logs a warning`() {
        let earlier = OrderBy<Dog>(.ascending("age"), .descending("mood"))
        #expect(
            warnings(applying: earlier, OrderBy<Dog>(.descending("age"))) == [
                "warning: The order 'age ascending, mood descending' on 'Dog' was overwritten by 'age descending'. "
                    + "Combine the two with '+' in one 'orderBy'."
            ]
        )
    }

    @Test(.pins("CLS-08")) func `the last grouping replaces earlier groupings and logs a warning`() {
        #expect(
            warnings(applying: GroupBy<Dog>("age", "mood"), GroupBy<Dog>("age")) == [
                "warning: The grouping by 'age, mood' on 'Dog' was overwritten by 'age'. "
                    + "Name all properties in one 'groupBy'."
            ]
        )
    }

    @Test(.pins("CLS-08")) func `a repeated equal clause logs no warning`() {
        #expect(
            warnings(
                applying: \Dog.$age > 3, \Dog.$age > 3, OrderBy<Dog>(.ascending("age")),
                OrderBy<Dog>(.ascending("age")), GroupBy<Dog>("age"), GroupBy<Dog>("age")
            ) == []
        )
    }
}

private final class Recorder: CoreStoreLogger {
    private let recorded = Locked<[String]>([])
    var messages: [String] { recorded.withLock { $0 } }

    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        recorded.withLock { $0.append("\(level): \(message)") }
    }

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {}
}
