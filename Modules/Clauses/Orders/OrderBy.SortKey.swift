public import CofferSchema
public import CofferStorage
import CofferStorageTools

extension OrderBy {
    /// One key of an order: a property and a direction.
    public struct SortKey: Hashable, Sendable {
        let sortDescriptor: QuerySortDescriptor

        fileprivate init(_ expression: QueryExpression, ascending: Bool, _ options: TextOptions) {
            sortDescriptor = QuerySortDescriptor(expression, ascending: ascending, options: options)
        }

        /// Least first, by a property's name or its path through to-one relationships: `"master.name"`.
        ///
        /// - Parameter options: for texts, what does not matter to the order; see ``TextOptions``.
        public static func ascending(_ keyPath: KeyPathString, options: TextOptions = []) -> Self {
            Self(.keyPath(keyPath), ascending: true, options)
        }

        /// Greatest first, by a property's name or its path through to-one relationships: `"master.name"`.
        ///
        /// - Parameter options: for texts, what does not matter to the order; see ``TextOptions``.
        public static func descending(_ keyPath: KeyPathString, options: TextOptions = []) -> Self {
            Self(.keyPath(keyPath), ascending: false, options)
        }

        /// Least first, by a path or a computed value: `.ascending(\.$master ~ \.$name)`.
        ///
        /// It must have one value for each object: of many, take the number, the least, the sum, ….
        public static func ascending<T, V>(_ expression: Where<O>.Expression<T, V>) -> Self {
            Self(expression.content, ascending: true, [])
        }

        /// Greatest first, by a path or a computed value: `.descending((\.$pets ~ \.$age).max())`.
        ///
        /// It must have one value for each object: of many, take the number, the least, the sum, ….
        public static func descending<T, V>(_ expression: Where<O>.Expression<T, V>) -> Self {
            Self(expression.content, ascending: false, [])
        }

        /// Least first, by a text at the end of a path: `.ascending(\.$master ~ \.$name, options: .caseInsensitive)`.
        public static func ascending<T, V: FieldStorableType>(
            _ expression: Where<O>.Expression<T, V>, options: TextOptions
        ) -> Self where V._Compared == String {
            Self(expression.content, ascending: true, options)
        }

        /// Greatest first, by a text at the end of a path.
        public static func descending<T, V: FieldStorableType>(
            _ expression: Where<O>.Expression<T, V>, options: TextOptions
        ) -> Self where V._Compared == String {
            Self(expression.content, ascending: false, options)
        }
    }
}

extension OrderBy.SortKey where O: CoreStoreObject {
    /// Least first, by a field: `.ascending(\.$name)`.
    public static func ascending<B, T>(_ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by a field: `.descending(\.$name)`.
    public static func descending<B, T>(_ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }

    /// Least first, by a text: `.ascending(\.$name, options: .caseInsensitive)`.
    ///
    /// Texts that are then the same come in the order of the next key.
    public static func ascending<B, T>(
        _ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>, options: TextOptions
    ) -> Self where T._Compared == String {
        ascending(KeyPathString(keyPath: attribute), options: options)
    }

    /// Greatest first, by a text: `.descending(\.$name, options: .caseInsensitive)`.
    ///
    /// Texts that are then the same come in the order of the next key.
    public static func descending<B, T>(
        _ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>, options: TextOptions
    ) -> Self where T._Compared == String {
        descending(KeyPathString(keyPath: attribute), options: options)
    }

    /// Least first, by a path or a computed value: `.ascending { $0.$pets.count() }`.
    public static func ascending<T, V>(_ expression: (O) -> Where<O>.Expression<T, V>) -> Self {
        ascending(expression(MetaObjects.meta(of: O.self)))
    }

    /// Greatest first, by a path or a computed value: `.descending { $0.$pets.count() }`.
    public static func descending<T, V>(_ expression: (O) -> Where<O>.Expression<T, V>) -> Self {
        descending(expression(MetaObjects.meta(of: O.self)))
    }

    /// Least first, by a field of any kind: `.ascending { $0.$name }`.
    public static func ascending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        ascending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }

    /// Least first, by a text: `.ascending({ $0.$name }, options: .caseInsensitive)`.
    public static func ascending<K: WhereOperand>(_ text: (O) -> K, options: TextOptions) -> Self
    where K.OperandValue: FieldStorableType, K.OperandValue._Compared == String {
        Self(text(MetaObjects.meta(of: O.self))._expression, ascending: true, options)
    }

    /// Greatest first, by a text: `.descending({ $0.$name }, options: .caseInsensitive)`.
    public static func descending<K: WhereOperand>(_ text: (O) -> K, options: TextOptions) -> Self
    where K.OperandValue: FieldStorableType, K.OperandValue._Compared == String {
        Self(text(MetaObjects.meta(of: O.self))._expression, ascending: false, options)
    }

    /// Greatest first, by a field of any kind: `.descending { $0.$name }`.
    public static func descending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        descending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }
}
