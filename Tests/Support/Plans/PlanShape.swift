public import CofferStorage

/// A request and the equivalent hand-written SQL for both databases.
public struct PlanShape: Sendable, CustomStringConvertible {
    public enum Request: Sendable {
        case rows(RowRequest)
        case count(RowRequest)
        case values(ValueRequest)
    }

    public let description: String
    public let request: Request
    /// The statement; its first result column is the key of a row, the number, or the first value.
    public let byHand: String
    /// Whether no index serves the request, so that the tracks are scanned.
    public let mayScan: Bool

    init(_ description: String, _ request: Request, mayScan: Bool = false, _ byHand: String) {
        self.description = description
        self.request = request
        self.byHand = byHand
        self.mayScan = mayScan
    }
}
