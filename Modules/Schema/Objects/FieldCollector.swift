public import CofferCCursor

/// Collects the field descriptions of a class while its meta object is created.
///
/// It also collects the deprecated properties of an object while the object is created.
final class FieldCollector {
    var fields: [FieldDescriptor] = []
    var links: [any LinkedProperty] = []
}

/// A property that is an object of its own, and must be told the object it belongs to once that is made.
///
/// The deprecated properties are all there are. A class without them does not pay for them: its objects are made without
/// a collector.
protocol LinkedProperty: AnyObject {
    func link(to object: CoreStoreObject)
}

extension FieldWord {
    /// The word for the wrapper that is being initialised: the next slot, or its description when a meta object is
    /// being made.
    @inlinable
    static func next(_ describe: () -> FieldDescriptor) -> FieldWord {
        let bits = coffer_cursor_take()
        if bits != 0 { return FieldWord(bits: bits) }
        return coffer_cursor_collector() == nil ? FieldWord(bits: 0) : collect(describe())
    }

    @usableFromInline
    static func collect(_ descriptor: FieldDescriptor) -> FieldWord {
        if let collector = coffer_cursor_collector() {
            Unmanaged<FieldCollector>.fromOpaque(collector).takeUnretainedValue().fields.append(descriptor)
        }
        return FieldWord(descriptor)
    }
}
