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
        Self(
            getter.map { FieldReader.partial($0, form.stored) },
            setter.map { FieldWriter.partial($0, form.value) }
        )
    }

    /// The accessors of a value that is archived, or that is not in the store.
    static func plain<O: CoreStoreObject, V>(
        _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?, fallback: V
    ) -> Self {
        Self(
            getter.map { FieldReader.partial($0) { $0 } },
            setter.map { FieldWriter.partial($0) { $0 } },
            FieldFallback { fallback }
        )
    }
}

/// The coder of the deprecated archived properties, whose objects need not be of a subclass of `NSObject`.
enum LegacyArchiveCoder<V: Foundation.NSCoding>: _ReportingFieldCoder {
    static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }
    static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
}

extension FieldReader {
    /// - Parameter making: converts the value of the getter to the stored value.
    fileprivate static func partial<O: CoreStoreObject, Given>(
        _ getter: @escaping (PartialObject<O>) -> Given, _ making: @escaping (Given) -> V
    ) -> FieldReader {
        // Accessors are looked up by the object's own entity, so the object is an O.
        FieldReader { object, _ in making(getter(PartialObject(unsafeDowncast(object, to: O.self)))) }
    }
}

extension FieldWriter {
    /// - Parameter taking: converts the stored value to the value of the setter.
    fileprivate static func partial<O: CoreStoreObject, Given>(
        _ setter: @escaping (PartialObject<O>, Given) -> Void, _ taking: @escaping (V) -> Given
    ) -> FieldWriter {
        FieldWriter { object, _, value in setter(PartialObject(unsafeDowncast(object, to: O.self)), taking(value)) }
    }
}
