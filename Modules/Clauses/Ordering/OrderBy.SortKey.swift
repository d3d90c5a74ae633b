public import CofferSchema
public import CofferStorage

extension OrderBy {
    /// One key of an order: a property and a direction.
    public struct SortKey: Hashable, Sendable {
        let sortDescriptor: QuerySortDescriptor

        private init(_ keyPath: KeyPathString, ascending: Bool) {
            sortDescriptor = QuerySortDescriptor(key: keyPath, ascending: ascending)
        }

        /// Least first, by a property's name or its path through to-one relationships: `"master.name"`.
        public static func ascending(_ keyPath: KeyPathString) -> Self {
            Self(keyPath, ascending: true)
        }

        /// Greatest first, by a property's name or its path through to-one relationships: `"master.name"`.
        public static func descending(_ keyPath: KeyPathString) -> Self {
            Self(keyPath, ascending: false)
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

    /// Least first, by a field of any kind: `.ascending { $0.$name }`.
    public static func ascending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        ascending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }

    /// Greatest first, by a field of any kind: `.descending { $0.$name }`.
    public static func descending<K: KeyPathStringConvertible>(_ attribute: (O) -> K) -> Self {
        descending(attribute(MetaObjects.meta(of: O.self)).cs_keyPathString)
    }
}
