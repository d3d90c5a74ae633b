/// How grave a log message is.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case trace
    case notice
    case warning
    case fatal

    /// Whether the left level is less grave.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Receives everything Coffer has to say: messages, errors, failed assertions.
///
/// Implement it to send logs to your own framework, and install it before the first data stack is made:
///
/// ```swift
/// CoreStoreDefaults.logger = MyLogger()
/// ```
///
/// Methods may be called from any thread, also several at a time. A class with state of its own must see to that, with a
/// lock or a queue.
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
