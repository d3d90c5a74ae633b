public import CofferSchema
import CofferStorage

/// Sets and returns the default data stack of the program.
extension CoreStoreDefaults {
    private static let current = Locked<DataStack?>(nil)

    /// The default data stack of the program.
    ///
    /// ```swift
    /// CoreStoreDefaults.dataStack = DataStack(schema)
    /// try CoreStoreDefaults.dataStack.addStorageAndWait(SQLiteStore(fileName: "people.sqlite"))
    /// ```
    ///
    /// Any thread may read and set it. The views of `CofferSwiftUI` use it unless the program passes another stack. If
    /// the program reads it before it was set, the program stops with a message.
    public static var dataStack: DataStack {
        get {
            guard let stack = current.withLock({ $0 }) else {
                Diagnostics.abort("There is no default data stack. Set 'CoreStoreDefaults.dataStack' before using it.")
            }
            return stack
        }
        set { current.withLock { $0 = newValue } }
    }
}
