import CofferStorage
import Foundation

/// Creates the kinds and the accessors of the deprecated properties.
extension FieldDescriptor.Kind {
    static func importable<V, S>(_ form: ImportableForm<V, S>, _ initial: V) -> Self {
        .stored(
            .init(
                type: S.cs_rawAttributeType, isOptional: form.isOptional,
                defaultValue: form.stored(initial)._storedValue.converted(to: S.cs_rawAttributeType.columnKind),
                dynamicInitialValue: nil, isUUID: S._isUUID
            )
        )
    }
}

extension FieldDescriptor.Accessors {
    /// - Parameter form: converts the values of the accessors to stored values and back.
    static func importable<O: CoreStoreObject, V, S>(
        _ form: ImportableForm<V, S>, _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        partial(getter, setter, form.stored, form.value)
    }

    /// The accessors of a value that is archived, or that is not in the store.
    static func plain<O: CoreStoreObject, V>(
        _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?, fallback: V
    ) -> Self {
        partial(getter, setter, { $0 }, { $0 }, FieldFallback { fallback })
    }

    /// - Parameters:
    ///   - stored: converts the value of the getter to the stored value.
    ///   - value: converts the stored value to the value of the setter.
    private static func partial<O: CoreStoreObject, V, S>(
        _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?,
        _ stored: @escaping (V) -> S, _ value: @escaping (S) -> V, _ fallback: FieldFallback<S>? = nil
    ) -> Self {
        // Accessors are looked up by the object's own entity, so the object is an O.
        func partial(_ object: CoreStoreObject) -> PartialObject<O> {
            PartialObject(unsafeDowncast(object, to: O.self))
        }
        return Self(
            getter.map { getter in FieldReader { object, _ in stored(getter(partial(object))) } },
            setter.map { setter in FieldWriter { object, _, given in setter(partial(object), value(given)) } }, fallback
        )
    }
}

/// The coder of the deprecated archived properties, whose objects need not be of a subclass of `NSObject`.
enum LegacyArchiveCoder<V: Foundation.NSCoding>: _ReportingFieldCoder {
    static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }
    static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
}
