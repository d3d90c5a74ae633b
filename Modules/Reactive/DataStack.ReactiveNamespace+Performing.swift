#if canImport(Combine) || Reactive
    public import CofferSchema
    import CofferStorage
    public import CofferTransactions

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Runs transactions with futures of Combine or OpenCombine.
    extension DataStack.ReactiveNamespace {
        /// Runs a transaction on the stack's own queue, and saves it when the closure returns.
        ///
        /// ```swift
        /// stack.reactive
        ///     .perform { $0.create(Into<Person>()).name = "Ann" }
        ///     .sink(receiveCompletion: { print($0) }, receiveValue: {})
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// The transaction begins at once. The future returns the result of the closure on the view queue, when the
        /// view shows the changes. If the closure throws or the commit fails, the future fails with ``CoreStoreError``,
        /// and nothing is saved.
        @preconcurrency
        public func perform<Output>(
            _ asynchronous: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> Output
        ) -> Future<Output, CoreStoreError> {
            future { base.perform(asynchronous: asynchronous, completion: $0) }
        }

        /// A future whose work begins now.
        func future<Output>(
            _ begin: @escaping (@escaping (Result<Output, CoreStoreError>) -> Void) -> Void
        ) -> Future<Output, CoreStoreError> {
            Future { begin($0) }
        }
    }
#endif
