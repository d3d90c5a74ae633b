import CofferStorage

/// The only stored word of a property wrapper: the slot of its field, or the number of the field's description.
///
/// In a live object, it contains the field's slot, and whether the field has its own accessors. In a meta object, and
/// for a field that is not part of the entity, it is the number of the field's description. If the library did not
/// create the object, the word is zero.
@frozen
public struct FieldWord: Sendable {
    @usableFromInline let bits: UInt32

    @inlinable
    init(bits: UInt32) { self.bits = bits }

    package init(slot: Int, hasAccessors: Bool) {
        bits = UInt32(slot + 1) | (hasAccessors ? Self.accessorsBit : 0)
    }

    init(_ descriptor: FieldDescriptor) { bits = Self.describedBit | Descriptions.number(of: descriptor) }

    /// Whether the value can be read and written directly at ``slot``.
    @inlinable var isPlain: Bool { bits &- 1 < Self.accessorsBit - 1 }
    /// Whether this is the word of a live object.
    @inlinable var isBound: Bool { bits != 0 && bits & Self.describedBit == 0 }
    @inlinable package var slot: Int { Int(bits & (Self.accessorsBit - 1)) &- 1 }

    /// The field's description, in a meta object.
    package var descriptor: FieldDescriptor? {
        guard bits & Self.describedBit != 0 else { return nil }
        return Descriptions.descriptor(bits & ~Self.describedBit)
    }

    @usableFromInline static var accessorsBit: UInt32 { 1 << 30 }
    @usableFromInline static var describedBit: UInt32 { 1 << 31 }
}

/// All field descriptions, by number.
///
/// Each class adds its fields once.
private enum Descriptions {
    private static let all = Locked<[FieldDescriptor]>([])

    static func number(of descriptor: FieldDescriptor) -> UInt32 {
        all.withLock { all in
            all.append(descriptor)
            return UInt32(all.count - 1)
        }
    }

    static func descriptor(_ number: UInt32) -> FieldDescriptor { all.withLock { $0[Int(number)] } }
}
