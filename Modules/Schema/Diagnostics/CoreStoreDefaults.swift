import CofferStorage

/// Settings for the whole program.
public enum CoreStoreDefaults {
    private static let currentLogger = Locked<any CoreStoreLogger>(DefaultLogger())

    /// Receives messages, errors and failed assertions.
    ///
    /// Safe to read and set from any thread.
    public static var logger: any CoreStoreLogger {
        get { currentLogger.withLock { $0 } }
        set { currentLogger.withLock { $0 = newValue } }
    }
}
