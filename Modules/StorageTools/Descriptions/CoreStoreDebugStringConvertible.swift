public import CofferStorage

/// A value that the debugger and logs can show as a tree of its fields.
///
/// ```swift
/// print(stack.coreStoreDumpString)
/// // (
/// //     .modelVersion = "V1";
/// //     .storages = ["SQLiteStore '/tmp/people.sqlite'"];
/// // )
/// ```
///
/// Describing a value never reads from a store, never waits for a store, and never fails. A deleted object and a
/// completed transaction show the values that they still have. Passwords of URLs are left out.
public protocol CoreStoreDebugStringConvertible {
    /// The fields of the value, one in each line.
    var coreStoreDumpString: String { get }
}

extension CoreStoreDebugStringConvertible where Self: CustomDebugStringConvertible {
    /// The name of the type, and the fields of the value.
    public var debugDescription: String { "(\(type(of: self))) \(coreStoreDumpString)" }
}

extension LocalStorageOptions: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The names of the options.
    public var coreStoreDumpString: String { description }
}
