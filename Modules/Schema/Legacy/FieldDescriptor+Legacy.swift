import CofferStorage
import Foundation

/// Creates the field descriptions of the deprecated properties.
extension FieldDescriptor.Kind {
    static func transient<O: CoreStoreObject, V>(
        _ initial: V, _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        .virtual(
            .init(
                fallback: FieldFallback { initial }, customGetter: getter.map { FieldReader.partial($0) { $0 } },
                customSetter: setter.map { FieldWriter.partial($0) { $0 } }
            )
        )
    }

    static func importable<O: CoreStoreObject, V, S>(
        _ form: ImportableForm<V, S>, _ initial: V, _ getter: ((PartialObject<O>) -> V)?,
        _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        .stored(
            .init(
                type: S.cs_rawAttributeType, isOptional: form.isOptional,
                defaultValue: form.stored(initial)._storedValue.converted(to: S.cs_rawAttributeType.columnKind),
                dynamicInitialValue: nil, customGetter: getter.map { FieldReader.partial($0, form.stored) },
                customSetter: setter.map { FieldWriter.partial($0, form.value) }, isUUID: S._isUUID
            )
        )
    }

    static func archived<O: CoreStoreObject, V>(
        _ coding: FieldCoding<V>, isOptional: Bool, _ initial: V, _ getter: ((PartialObject<O>) -> V)?,
        _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        .stored(
            .coded(
                coding, isOptional: isOptional, initial, nil, getter.map { FieldReader.partial($0) { $0 } },
                setter.map { FieldWriter.partial($0) { $0 } }
            )
        )
    }
}

extension FieldCoding {
    /// The coding of a required object as an archive.
    static func archive() -> Self where V: NSCoding {
        Self({ try KeyedArchive.encoded($0) }) { data in
            guard let value = try KeyedArchive.decoded(data, as: V.self) else {
                throw FieldCodingError("There is none.")
            }
            return value
        }
    }

    /// The coding of an optional object as an archive.
    static func optionalArchive<Wrapped: NSCoding>() -> Self where V == Wrapped? {
        Self({ try KeyedArchive.encoded($0) }) { try KeyedArchive.decoded($0, as: Wrapped.self) }
    }
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
