/// The library's own way to the logger.
package enum Diagnostics {
    package static func log(
        _ level: LogLevel, _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) {
        CoreStoreDefaults.logger.log(
            level: level, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }

    package static func log(
        _ error: CoreStoreError, _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) {
        CoreStoreDefaults.logger.log(
            error: error, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }

    package static func assert(
        _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, fileName: StaticString = #file,
        lineNumber: Int = #line, functionName: StaticString = #function
    ) {
        if condition() { return }
        CoreStoreDefaults.logger.assert(
            false, message: message(), fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }

    /// Never returns, whatever the installed logger does.
    package static func abort(
        _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) -> Never {
        CoreStoreDefaults.logger.abort(
            message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
        // A programmer error, and a logger that returned from one, which it must not.
        Swift.fatalError(message, file: fileName, line: UInt(lineNumber))
    }
}
