import Coffer
import Foundation
import TestSupport
import Testing

struct DefaultLoggerTests {
    @Test(.pins("LOG-06")) func `warnings and errors reach standard error in every build`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for level in LogLevel.allCases {
                DefaultLogger().log(level: level, message: "m", fileName: "f", lineNumber: 1, functionName: "g")
            }
            DefaultLogger().log(error: .userCancelled, message: "m", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for kind in ["warning", "fatal", "error"] { #expect(text.contains("[Coffer] \(kind): f:1 g\n  m\n")) }
        #expect(text.contains("  userCancelled: The operation was cancelled.\n"))
        #expect(!text.contains("[Coffer] trace"))
        if Self.isRelease { #expect(!text.contains("[Coffer] notice")) }
    }

    @Test(.pins("LOG-06")) func `a failed assertion is printed, and only a debug build stops`() async {
        let expected: ExitTest.Condition = Self.isRelease ? .success : .failure
        let result = await #expect(processExitsWith: expected, observing: [\.standardErrorContent]) {
            DefaultLogger().assert(true, message: "fine", fileName: "f", lineNumber: 1, functionName: "g")
            DefaultLogger().assert(false, message: "broken", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("broken") && !text.contains("fine"))
    }

    @Test(.pins("LOG-06")) func `an abort is printed, and stops every build`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DefaultLogger().abort("the end", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the end"))
    }

    @Test(.pins("LOG-06")) func `after the program sets a logger, the default logger prints nothing`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoreStoreDefaults.logger = Mute()
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<LoggedNote>("LoggedNote")]))
            _ = try? stack.fetchCount(From<LoggedNote>())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!text.contains("[Coffer]"))
    }

    private static var isRelease: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true; return true
            }())
        return !isDebug
    }
}

private final class LoggedNote: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private struct Mute: CoreStoreLogger {
    func log(level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {}
    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}
    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {}
}
