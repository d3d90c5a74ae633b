import Foundation

/// Colours of the output: on a terminal, and unless `NO_COLOR` is set.
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case cyan = "36"

    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the output is a terminal that can overwrite a line.
    static let isTerminal = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"

    private static let isOn = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty

    func callAsFunction(_ text: String) -> String {
        Self.isOn ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
