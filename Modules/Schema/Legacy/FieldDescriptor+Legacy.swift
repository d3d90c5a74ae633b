import CofferStorage
import Foundation

/// What the properties that were declared before `Field` was there say about themselves.
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

    static func importable<O: CoreStoreObject, V: ImportableAttributeType>(
        _ initial: V, _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        .stored(
            .init(
                ImportableValue(value: initial), isOptional: false,
                getter.map { FieldReader.partial($0) { ImportableValue(value: $0) } },
                setter.map { FieldWriter.partial($0) { (stored: ImportableValue<V>) in stored.value } }
            )
        )
    }

    static func importableOptional<O: CoreStoreObject, V: ImportableAttributeType>(
        _ initial: V?, _ getter: ((PartialObject<O>) -> V?)?, _ setter: ((PartialObject<O>, V?) -> Void)?
    ) -> Self {
        .stored(
            .init(
                initial.map { ImportableValue(value: $0) }, isOptional: true,
                getter.map { FieldReader.partial($0) { $0.map { ImportableValue(value: $0) } } },
                setter.map { FieldWriter.partial($0) { (stored: ImportableValue<V>?) in stored?.value } }
            )
        )
    }

    static func archived<O: CoreStoreObject, V: NSCoding>(
        _ initial: V, _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?
    ) -> Self {
        let coding = FieldCoding<V>({ try KeyedArchive.encoded($0) }) { data in
            guard let value = try KeyedArchive.decoded(data, as: V.self) else {
                throw FieldCodingError("There is none.")
            }
            return value
        }
        return .stored(
            .coded(
                coding, isOptional: false, initial, nil, getter.map { FieldReader.partial($0) { $0 } },
                setter.map { FieldWriter.partial($0) { $0 } }
            )
        )
    }

    static func archivedOptional<O: CoreStoreObject, V: NSCoding>(
        _ initial: V?, _ getter: ((PartialObject<O>) -> V?)?, _ setter: ((PartialObject<O>, V?) -> Void)?
    ) -> Self {
        let coding = FieldCoding<V?>({ try KeyedArchive.encoded($0) }) { try KeyedArchive.decoded($0, as: V.self) }
        return .stored(
            .coded(
                coding, isOptional: true, initial, nil, getter.map { FieldReader.partial($0) { $0 } },
                setter.map { FieldWriter.partial($0) { $0 } }
            )
        )
    }
}

extension FieldDescriptor.StoredField {
    fileprivate init<V: FieldStorableType>(
        _ initial: V, isOptional: Bool, _ getter: FieldReader<V>?, _ setter: FieldWriter<V>?
    ) {
        self.init(
            type: V.cs_rawAttributeType, isOptional: isOptional,
            defaultValue: initial._storedValue.converted(to: V.cs_rawAttributeType.columnKind),
            dynamicInitialValue: nil, customGetter: getter, customSetter: setter, isUUID: V._isUUID
        )
    }
}

extension FieldReader {
    /// - Parameter making: makes what is stored of the getter's value.
    fileprivate static func partial<O: CoreStoreObject, Given>(
        _ getter: @escaping (PartialObject<O>) -> Given, _ making: @escaping (Given) -> V
    ) -> FieldReader {
        // Accessors are looked up by the object's own entity, so the object is an O.
        FieldReader { object, _ in making(getter(PartialObject(unsafeDowncast(object, to: O.self)))) }
    }
}

extension FieldWriter {
    /// - Parameter taking: takes the setter's value from what is to be stored.
    fileprivate static func partial<O: CoreStoreObject, Given>(
        _ setter: @escaping (PartialObject<O>, Given) -> Void, _ taking: @escaping (V) -> Given
    ) -> FieldWriter {
        FieldWriter { object, _, value in setter(PartialObject(unsafeDowncast(object, to: O.self)), taking(value)) }
    }
}

extension KeyPathString {
    /// The name of the relationship that a closure picks of a class.
    init<D: CoreStoreObject, R: RelationshipKeyPathStringConvertible>(inverse: (D) -> R) {
        self = inverse(MetaObjects.meta(of: D.self)).cs_keyPathString
    }
}
