public import CofferSchema
import CofferStorage

extension CoreStoreDefaults {
    private static let current = Locked<DataStack?>(nil)

    /// The program's default data stack.
    ///
    /// Set it before its first use; safe to read and set from any thread.
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
