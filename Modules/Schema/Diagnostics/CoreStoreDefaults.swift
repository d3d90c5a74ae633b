import CofferStorage

/// The defaults of the whole program, such as its logger.
public enum CoreStoreDefaults {
    /// The logger of the program.
    // Sendable: the protocol requires that a logger's methods may be called from any thread.
    private struct Installed: @unchecked Sendable {
        let logger: any CoreStoreLogger
    }

    private static let current = Locked(Installed(logger: DefaultLogger()))

    /// The logger that receives messages, errors and failed assertions.
    ///
    /// ```swift
    /// CoreStoreDefaults.logger = MyLogger()
    /// ```
    ///
    /// Set the logger before you create the first data stack. Any thread may read and set it. The default is a
    /// ``DefaultLogger``.
    public static var logger: any CoreStoreLogger {
        get { current.withLock { $0 }.logger }
        set {
            let installed = Installed(logger: newValue)
            current.withLock { $0 = installed }
        }
    }
}
