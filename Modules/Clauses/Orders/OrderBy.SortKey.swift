public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Defines the sort keys of an order: a property or an expression, a direction and options for strings.
extension OrderBy {
    /// One key of an order: a property or an expression, and a direction.
    public struct SortKey: Hashable, Sendable {
        let sortDescriptor: QuerySortDescriptor

        fileprivate init(_ expression: QueryExpression, ascending: Bool, _ options: TextOptions) {
            sortDescriptor = QuerySortDescriptor(expression, ascending: ascending, options: options)
        }

        /// Ascending order by the name of a property, or by a path: `.ascending("master.name")`.
        ///
        /// All relationships of the path must be to-one relationships.
        ///
        /// - Parameter options: the differences of strings that the order ignores; see ``TextOptions``.
        public static func ascending(_ keyPath: KeyPathString, options: TextOptions = []) -> Self {
            Self(.keyPath(keyPath), ascending: true, options)
        }

        /// Descending order by the name of a property, or by a path: `.descending("master.name")`.
        ///
        /// All relationships of the path must be to-one relationships.
        ///
        /// - Parameter options: the differences of strings that the order ignores; see ``TextOptions``.
        public static func descending(_ keyPath: KeyPathString, options: TextOptions = []) -> Self {
            Self(.keyPath(keyPath), ascending: false, options)
        }

        /// Ascending order by a path or a computed value: `.ascending(\.$master ~ \.$name)`.
        ///
        /// The expression must have one value for each object. For a path with many values, compute one value with
        /// `count()`, `min()`, `sum()` or a similar method. Otherwise the fetch throws `invalidRequest`.
        public static func ascending<T, V>(_ expression: Where<O>.Expression<T, V>) -> Self {
            Self(expression.content, ascending: true, [])
        }

        /// Descending order by a path or a computed value: `.descending((\.$pets ~ \.$age).max())`.
        ///
        /// The expression must have one value for each object. For a path with many values, compute one value with
        /// `count()`, `min()`, `sum()` or a similar method. Otherwise the fetch throws `invalidRequest`.
        public static func descending<T, V>(_ expression: Where<O>.Expression<T, V>) -> Self {
            Self(expression.content, ascending: false, [])
        }

        /// Ascending order by a string of a path: `.ascending(\.$master ~ \.$name, options: .caseInsensitive)`.
        public static func ascending<T, V: FieldStorableType>(
            _ expression: Where<O>.Expression<T, V>, options: TextOptions
        ) -> Self where V._Compared == String {
            Self(expression.content, ascending: true, options)
        }

        /// Descending order by a string at the end of a path.
        public static func descending<T, V: FieldStorableType>(
            _ expression: Where<O>.Expression<T, V>, options: TextOptions
        ) -> Self where V._Compared == String {
            Self(expression.content, ascending: false, options)
        }
    }
}

extension OrderBy.SortKey where O: CoreStoreObject {
    /// Ascending order by a field, null first.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
    /// ```
    ///
    /// Strings are ordered by their bytes, so upper case comes before lower case. Add options to ignore case:
    /// `.ascending(\.$name, options: .caseInsensitive)`.
    public static func ascending<B, T>(_ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Descending order by a field, null last.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().orderBy(.descending(\.$age), .ascending(\.$name)))
    /// ```
    ///
    /// Strings are ordered by their bytes. Add options to ignore case: `.descending(\.$name, options:
    /// .caseInsensitive)`.
    public static func descending<B, T>(_ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }

    /// Ascending order by a string field with options: `.ascending(\.$name, options: .caseInsensitive)`.
    ///
    /// If two strings differ only in ignored parts, the next sort key decides.
    public static func ascending<B, T>(
        _ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>, options: TextOptions
    ) -> Self where T._Compared == String {
        ascending(KeyPathString(keyPath: attribute), options: options)
    }

    /// Descending order by a string field with options: `.descending(\.$name, options: .caseInsensitive)`.
    ///
    /// If two strings differ only in ignored parts, the next sort key decides.
    public static func descending<B, T>(
        _ attribute: KeyPath<O, FieldContainer<B>.Stored<T>>, options: TextOptions
    ) -> Self where T._Compared == String {
        descending(KeyPathString(keyPath: attribute), options: options)
    }

    /// Ascending order by a path or a computed value: `.ascending { $0.$pets.count() }`.
    public static func ascending<T, V>(_ expression: (O) -> Where<O>.Expression<T, V>) -> Self {
        ascending(expression(MetaObjects.meta(of: O.self)))
    }

    /// Descending order by a path or a computed value: `.descending { $0.$pets.count() }`.
    public static func descending<T, V>(_ expression: (O) -> Where<O>.Expression<T, V>) -> Self {
        descending(expression(MetaObjects.meta(of: O.self)))
    }

    /// Ascending order by a field of any kind: `.ascending { $0.$name }`.
    public static func ascending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        ascending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }

    /// Ascending order by a string: `.ascending({ $0.$name }, options: .caseInsensitive)`.
    public static func ascending<K: WhereOperand>(_ text: (O) -> K, options: TextOptions) -> Self
    where K.OperandValue: FieldStorableType, K.OperandValue._Compared == String {
        Self(text(MetaObjects.meta(of: O.self))._expression, ascending: true, options)
    }

    /// Descending order by a string: `.descending({ $0.$name }, options: .caseInsensitive)`.
    public static func descending<K: WhereOperand>(_ text: (O) -> K, options: TextOptions) -> Self
    where K.OperandValue: FieldStorableType, K.OperandValue._Compared == String {
        Self(text(MetaObjects.meta(of: O.self))._expression, ascending: false, options)
    }

    /// Descending order by a field of any kind: `.descending { $0.$name }`.
    public static func descending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        descending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }
}
