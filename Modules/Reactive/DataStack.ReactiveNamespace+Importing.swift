#if canImport(Combine) || Reactive
    public import CofferClauses
    public import CofferImport
    public import CofferSchema
    public import CofferTransactions

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Imports objects in a transaction, with futures of Combine or OpenCombine.
    extension DataStack.ReactiveNamespace {
        /// Runs a transaction that creates an object from a source.
        ///
        /// - Returns: a future of the stack's object; nil if the import left out the source. It fails with ``CoreStoreError``
        ///   if an import method of the class throws, or the commit fails.
        public func importObject<O: DynamicObject & ImportableObject>(
            _ into: Into<O>, source: O.ImportSource
        ) -> Future<O?, CoreStoreError> {
            importing { try $0.importObject(into, source: source) }
        }

        /// Runs a transaction that copies the values of a source to an object.
        ///
        /// - Returns: a future of the stack's object. It fails with ``CoreStoreError``. The error is `userCancelled` if
        ///   the object no longer exists.
        public func importObject<O: DynamicObject & ImportableObject>(
            _ object: O, source: O.ImportSource
        ) -> Future<O?, CoreStoreError> {
            importing { transaction in
                guard let object = transaction.edit(object) else { try transaction.cancel() }
                try transaction.importObject(object, source: source)
                return object
            }
        }

        /// Runs a transaction that updates the object with the unique id of a source, or creates it.
        ///
        /// - Returns: a future of the stack's object; nil if the import left out the source. It fails with ``CoreStoreError``
        ///   if an import method of the class throws, or the commit fails.
        public func importUniqueObject<O: DynamicObject & ImportableUniqueObject>(
            _ into: Into<O>, source: O.ImportSource
        ) -> Future<O?, CoreStoreError> {
            importing { try $0.importUniqueObject(into, source: source) }
        }

        /// Runs a transaction that updates the objects with the unique ids of some sources, and creates the others.
        ///
        /// ```swift
        /// stack.reactive
        ///     .importUniqueObjects(Into<Person>(), sourceArray: sources)
        ///     .sink(receiveCompletion: { print($0) }, receiveValue: { people in print(people.count) })
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// - Parameter preProcess: called on the queue of the transaction, with all sources by their ids.
        /// - Returns: a future of the stack's objects, in the order in which the ids occur first. It fails with
        ///   ``CoreStoreError`` if an import method of the class or `preProcess` throws, or the commit fails.
        @preconcurrency
        public func importUniqueObjects<O: DynamicObject & ImportableUniqueObject, S: Sequence>(
            _ into: Into<O>, sourceArray: S,
            preProcess:
                @escaping @Sendable (_ mapping: [O.UniqueIDType: O.ImportSource]) throws -> [O.UniqueIDType:
                O.ImportSource] = { $0 }
        ) -> Future<[O], CoreStoreError> where S.Iterator.Element == O.ImportSource {
            future { completion in
                base.importing(
                    { try $0.importUniqueObjects(into, sourceArray: sourceArray, preProcess: preProcess) },
                    completion: completion)
            }
        }

        private func importing<O: DynamicObject>(
            _ task: @escaping (AsynchronousDataTransaction) throws -> O?
        ) -> Future<O?, CoreStoreError> {
            future { completion in
                base.importing({ try task($0).map { [$0] } ?? [] }) { result in completion(result.map(\.first)) }
            }
        }
    }
#endif
