import Foundation

/// Prints to standard error in debug builds, and is silent otherwise.
///
/// A failed assertion stops a debug build and is ignored in a release build; an abort stops both.
public final class DefaultLogger: CoreStoreLogger, Sendable {
    /// A logger that prints in debug builds.
    public init() {}

    /// Prints the message, with where it comes from.
    public func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        #if DEBUG
            guard level > .trace else { return }
            Self.print("[Coffer] \(level): \(fileName):\(lineNumber) \(functionName)\n  \(message)")
        #endif
    }

    /// Prints the message, with where it comes from.
    public func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        #if DEBUG
            Self.print("[Coffer] error: \(fileName):\(lineNumber) \(functionName)\n  \(message)\n  \(error)")
        #endif
    }

    #if DEBUG
        /// What a program prints itself is left alone.
        private static func print(_ text: String) {
            // Nobody may be listening.
            try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        }
    #endif

    /// Stops a debug build when the condition does not hold.
    public func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {
        #if DEBUG
            Swift.assert(condition(), message(), file: fileName, line: UInt(lineNumber))
        #endif
    }
}
