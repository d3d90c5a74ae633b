import Foundation

/// Describes a value in the syntax of format strings.
extension Value {
    /// The value in the syntax of a format string.
    public var description: String {
        switch self {
        case .null: "nil"
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .blob(let data): "<\(data.count) bytes>"
        case .date(let seconds): Date.text(ofSeconds: seconds)
        case .object(let id): id.description
        }
    }
}
