public import Testing

/// The items of CoreStore's checklist that a test covers, such as `@Test(.pins("CLS-27"))`.
///
/// `scripts/check-spec` reads them from the sources. Swift Testing prints them with a failure.
public struct Pins: TestTrait {
    public let items: [String]

    public var comments: [Comment] { items.map { Comment(rawValue: $0) } }
}

extension Trait where Self == Pins {
    /// Names the items that a test covers.
    public static func pins(_ items: String...) -> Self { Pins(items: items) }
}
