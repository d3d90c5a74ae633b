/// The severity of a log message that a ``CoreStoreLogger`` receives, from `trace` to `fatal`.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case trace
    case notice
    case warning
    case fatal

    /// Returns whether the left level is less severe.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The protocol of loggers, which receive messages, errors and failed assertions; this file also has the log levels.
///
/// ```swift
/// CoreStoreDefaults.logger = MyLogger()
/// ```
///
/// Implement this protocol to send logs to another framework. Any thread may call the methods, and several threads may
/// call them at once. A class with its own state must use a lock or a queue.
///
/// If `assert` returns, the program continues: the library then refuses the operation, or continues in the safest way.
/// After `abort`, the program always stops.
public protocol CoreStoreLogger {
    /// Handles a message.
    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    )

    /// Handles an error that is also thrown or passed to a completion.
    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    )

    /// Handles a condition that the program must fulfil.
    ///
    /// If the method returns, the library continues in the safest way.
    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    )

    /// Handles a mistake after which the program cannot continue.
    ///
    /// The default implementation stops the program with the message.
    func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString)
}

extension CoreStoreLogger {
    /// Stops the program with the message.
    public func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {
        // By CoreStore's contract, `abort` reports an error of the programmer; no data can cause this call.
        Swift.fatalError(message, file: fileName, line: UInt(lineNumber))
    }
}
