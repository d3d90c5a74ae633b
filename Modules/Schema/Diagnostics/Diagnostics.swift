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
    /// Where the program goes on, nothing was done. So that nobody takes it for done, the transaction or read around the
    /// call fails with the same text; outside of them, an error is logged.
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
    /// The transaction or read around the call fails with the same text: what it computes from the relationship is not true.
    package static func reportUnread(
        _ message: String, fileName: StaticString = #file, lineNumber: Int = #line,
        functionName: StaticString = #function
    ) {
        let error = StorageError(.unsupported, message)
        EnclosingWork.current?.keeper.keep(error)
        log(
            CoreStoreError(storage: error), "It reads as empty.", fileName: fileName, lineNumber: lineNumber,
            functionName: functionName)
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
