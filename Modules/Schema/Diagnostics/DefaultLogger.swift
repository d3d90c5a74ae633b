import Foundation

/// A logger that prints to standard error; defines the format of a printed message.
///
/// ```swift
/// CoreStoreDefaults.logger = DefaultLogger()
/// ```
///
/// A debug build prints all messages except traces. A release build prints warnings, errors and failed assertions. A
/// failed assertion stops a debug build only. An abort stops both builds.
public final class DefaultLogger: CoreStoreLogger, Sendable {
    /// A logger that prints to standard error.
    public init() {}

    /// Prints the message and its origin; in a release build, only from the level ``LogLevel/warning``.
    public func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        #if DEBUG
            guard level > .trace else { return }
        #else
            guard level >= .warning else { return }
        #endif
        Self.print("\(level)", message, fileName, lineNumber, functionName)
    }

    /// Prints the message, the error and their origin.
    public func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        Self.print("error", "\(message)\n  \(error)", fileName, lineNumber, functionName)
    }

    /// Stops a debug build if the condition is false; a release build prints the message instead.
    public func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {
        #if DEBUG
            Swift.assert(condition(), message(), file: fileName, line: UInt(lineNumber))
        #else
            if condition() { return }
            Self.print("assertion failed", message(), fileName, lineNumber, functionName)
        #endif
    }

    /// Prints to standard error, and does not change the output of the program.
    private static func print(
        _ kind: String, _ message: String, _ fileName: StaticString, _ lineNumber: Int, _ functionName: StaticString
    ) {
        let text = "[Coffer] \(kind): \(fileName):\(lineNumber) \(functionName)\n  \(message)\n"
        // Standard error may be closed.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
