public import CCofferCursor

/// The one word a field's wrapper keeps.
///
/// In a live object it is odd and holds the field's slot and whether it has accessors of its own. In a meta object it
/// is the address of the field's description. It is zero for a field that is not part of the entity.
@frozen
public struct FieldWord: Sendable {
    @usableFromInline let bits: UInt

    @inlinable
    init(bits: UInt) {
        self.bits = bits
    }

    package init(slot: Int, hasAccessors: Bool) {
        bits = UInt(slot) << 2 | (hasAccessors ? 0b11 : 0b01)
    }

    init(_ descriptor: FieldDescriptor) {
        // Retained for ever: a meta object lives as long as the process.
        bits = UInt(bitPattern: Unmanaged.passRetained(descriptor).toOpaque())
    }

    /// Whether the value can be read and written straight at ``slot``.
    @inlinable var isPlain: Bool { bits & 0b11 == 0b01 }
    /// Whether this is the word of a live object.
    @inlinable var isBound: Bool { bits & 1 == 1 }
    @inlinable var slot: Int { Int(bits >> 2) }

    /// The field's description, in a meta object.
    package var descriptor: FieldDescriptor? {
        guard bits != 0, bits & 1 == 0, let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        return Unmanaged<FieldDescriptor>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The word for the wrapper that is being initialised: the next slot, or its description when a meta object is
    /// being made.
    @inlinable
    static func next(_ describe: () -> FieldDescriptor) -> FieldWord {
        guard coffer_cursor_collector() == nil else { return collect(describe()) }
        return FieldWord(bits: UInt(coffer_cursor_take()))
    }

    @usableFromInline
    static func collect(_ descriptor: FieldDescriptor) -> FieldWord {
        if let collector = coffer_cursor_collector() {
            Unmanaged<FieldCollector>.fromOpaque(collector).takeUnretainedValue().fields.append(descriptor)
        }
        return FieldWord(descriptor)
    }
}

/// Gathers the fields of a class while its meta object is made.
final class FieldCollector {
    var fields: [FieldDescriptor] = []
}
