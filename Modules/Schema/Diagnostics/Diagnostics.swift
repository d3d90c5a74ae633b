import CofferStorage

/// Sends messages, errors and failed assertions of the library to the logger of the program.
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

    /// Reports a mistake of the program, at which a debug build stops.
    ///
    /// If the program continues, the refused call has changed nothing. The enclosing transaction or read then fails
    /// with the same message. If there is none, an error is logged.
    package static func refuse(
        _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) {
        assert(false, message, fileName: fileName, lineNumber: lineNumber, functionName: functionName)
        let error = StorageError(.unsupported, message)
        if let work = EnclosingWork.current { return work.keeper.keep(error) }
        log(
            CoreStoreError(storage: error), "Nothing was changed.", fileName: fileName, lineNumber: lineNumber,
            functionName: functionName
        )
    }

    /// Reports a relationship that cannot be read and reads as empty.
    ///
    /// The enclosing transaction or read fails with the same message, because its results from the relationship are
    /// wrong.
    package static func reportUnread(
        _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) {
        let error = StorageError(.unsupported, message)
        EnclosingWork.current?.keeper.keep(error)
        log(
            CoreStoreError(storage: error), "The relationship reads as empty.", fileName: fileName,
            lineNumber: lineNumber, functionName: functionName)
    }

    /// Stops the program, even if the logger returns.
    package static func abort(
        _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) -> Never {
        CoreStoreDefaults.logger.abort(
            message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
        // The logger returned after a programmer error, although it must not return.
        Swift.fatalError(message, file: fileName, line: UInt(lineNumber))
    }
}
