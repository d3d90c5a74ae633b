#if canImport(Combine) || Reactive
    public import CofferTransactions

    /// Returns the operations of a data stack as publishers of Combine or OpenCombine: `stack.reactive`.
    extension DataStack {
        /// The operations of the stack as publishers.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// The operations of a data stack as publishers of Combine, or of OpenCombine on platforms without Combine.
        ///
        /// A future does its work once, when it is created, and not again for each subscriber. If the program releases
        /// the future or its subscription, the work is not cancelled.
        public struct ReactiveNamespace {
            /// The data stack.
            public let base: DataStack
        }
    }
#else
    public import CofferTransactions

    extension DataStack {
        /// Not available without the package trait `Reactive`.
        @available(*, unavailable, message: "Enable the trait 'Reactive' where you depend on 'coffer'.")
        public var reactive: Never {
            preconditionFailure("The trait 'Reactive' of the package 'coffer' is not enabled.")
        }
    }
#endif
