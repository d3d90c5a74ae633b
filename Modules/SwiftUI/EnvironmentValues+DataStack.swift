#if canImport(SwiftUI)
    import CofferSchema
    public import CofferTransactions
    public import SwiftUI

    /// Adds the data stack to the environment of SwiftUI views.
    extension EnvironmentValues {
        /// The data stack of the views; the default is ``CoreStoreDefaults/dataStack``.
        ///
        /// ```swift
        /// @Environment(\.dataStack) var dataStack: DataStack
        ///
        /// ContentView().environment(\.dataStack, stack)
        /// ```
        public var dataStack: DataStack {
            get { self[DataStackKey.self] }
            set { self[DataStackKey.self] = newValue }
        }

        private struct DataStackKey: EnvironmentKey {
            static var defaultValue: DataStack { CoreStoreDefaults.dataStack }
        }
    }
#endif
