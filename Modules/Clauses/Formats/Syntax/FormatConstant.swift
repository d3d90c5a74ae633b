public import CofferStorage

/// A constant in a format string, with its value.
///
/// `TRUE` and `YES` are the number 1, so a Boolean constant equals the integer constant 0 or 1.
public struct FormatConstant: Hashable, Sendable {
    /// The constant itself.
    public let value: Value

    /// A constant.
    public init(_ value: Value) { self.value = value }

    /// Whether two constants have the same case and content; a Boolean equals its integer.
    public static func == (left: FormatConstant, right: FormatConstant) -> Bool {
        left.identity == right.identity
    }

    /// Hashes a boolean as the integer it equals.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: Value {
        if case .boolean(let flag) = value { .integer(flag ? 1 : 0) } else { value }
    }
}

extension ExpressionFormat {
    /// A constant.
    public static func constant(_ value: Value) -> ExpressionFormat { .constant(FormatConstant(value)) }
}
