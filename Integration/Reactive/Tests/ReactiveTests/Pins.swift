import Testing

/// The items of CoreStore's checklist that a test covers, such as `@Test(.pins("RX-01"))`.
///
/// `scripts/check-spec` reads them from the sources. Swift Testing prints them with a failure.
struct Pins: TestTrait {
    let items: [String]

    var comments: [Comment] { items.map { Comment(rawValue: $0) } }
}

extension Trait where Self == Pins {
    /// Names the items that a test covers.
    static func pins(_ items: String...) -> Self { Pins(items: items) }
}
