public import CofferCCursor

/// Collects the field descriptions of a class while its meta object is created.
///
/// It also collects the deprecated properties of an object while the object is created.
final class FieldCollector {
    var fields: [FieldDescriptor] = []
    var links: [any LinkedProperty] = []

    /// The collector of the object that is being created on the current thread; nil if there is none.
    static var current: FieldCollector? {
        coffer_cursor_collector().map { Unmanaged<FieldCollector>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Creates an object whose properties register in a new collector.
    ///
    /// - Parameter words: the words of the fields, in the order of their wrappers; nil for a meta object.
    static func collecting<Object>(
        _ words: UnsafePointer<UInt32>? = nil, count: Int = 0, _ create: () -> Object
    ) -> (object: Object, collector: FieldCollector) {
        let collector = FieldCollector()
        let saved = coffer_cursor_get()
        coffer_cursor_set(
            coffer_cursor_t(
                words: words, count: count, next: 0, collector: Unmanaged.passUnretained(collector).toOpaque()
            )
        )
        defer { coffer_cursor_set(saved) }
        return (create(), collector)
    }
}

/// A property that is a separate object, and receives a reference to its owner after the owner is created.
///
/// Only the deprecated properties conform to this protocol. Objects of a class without such properties are created
/// without a collector, at no additional cost.
protocol LinkedProperty: AnyObject {
    func link(to object: CoreStoreObject)
}

extension FieldWord {
    /// Returns the word for the wrapper that is being initialised.
    ///
    /// The word contains the next slot, or the field's description if a meta object is being created.
    @inlinable
    static func next(_ describe: () -> FieldDescriptor) -> FieldWord {
        let bits = coffer_cursor_take()
        if bits != 0 { return FieldWord(bits: bits) }
        return coffer_cursor_collector() == nil ? FieldWord(bits: 0) : collect(describe())
    }

    @usableFromInline
    static func collect(_ descriptor: FieldDescriptor) -> FieldWord {
        FieldCollector.current?.fields.append(descriptor)
        return FieldWord(descriptor)
    }
}
