/// The severity of a log message, from `trace` to `fatal`.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case trace
    case notice
    case warning
    case fatal

    /// Whether the left level is less grave.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// A receiver of messages, errors and failed assertions of the library.
///
/// ```swift
/// CoreStoreDefaults.logger = MyLogger()
/// ```
///
/// Implement it to send logs to another framework. Any thread may call the methods, also several threads at once. A
/// class with its own state must use a lock or a queue.
///
/// An `assert` that returns does not stop the program: the library then refuses the operation, or continues in the
/// safest way. After `abort`, the program always stops.
public protocol CoreStoreLogger {
    /// Handles a message.
    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    )

    /// Handles an error that is also thrown or passed to a completion.
    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    )

    /// Handles a rule of use that must hold. When this returns, the library goes on in the safest way there is.
    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    )

    /// Handles a mistake after which the program cannot go on. Stops the program unless implemented otherwise.
    func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString)
}

extension CoreStoreLogger {
    /// Stops the program with the message.
    public func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {
        // A programmer error, by CoreStore's contract for `abort`: data never leads here.
        Swift.fatalError(message, file: fileName, line: UInt(lineNumber))
    }
}
