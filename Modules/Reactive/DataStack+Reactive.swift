#if canImport(Combine) || Reactive
    public import CofferTransactions

    extension DataStack {
        /// The stack's operations as publishers.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// Operations of a data stack as publishers of Combine, or of OpenCombine where there is no Combine.
        ///
        /// A future does its work once, when it is made, and not again for each subscriber. Dropping the future or its
        /// subscription does not cancel the work.
        public struct ReactiveNamespace {
            /// The data stack.
            public let base: DataStack
        }
    }
#else
    public import CofferTransactions

    extension DataStack {
        /// The stack's operations as publishers, where the trait is enabled.
        @available(*, unavailable, message: "Enable the trait 'Reactive' where you depend on 'coffer'.")
        public var reactive: Never {
            preconditionFailure("The trait 'Reactive' of the package 'coffer' is not enabled.")
        }
    }
#endif
