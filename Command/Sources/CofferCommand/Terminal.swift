import Foundation

/// Formats strings and numbers for the terminal: colours, printable characters and byte counts.
enum Terminal {
    /// Returns whether a stream is a terminal that supports colours, and no setting switches colours off.
    static func hasColour(_ descriptor: Int32 = STDOUT_FILENO) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    static func bold(_ text: String) -> String { hasColour() ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    static func red(_ text: String) -> String { hasColour() ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
    static func green(_ text: String) -> String { hasColour() ? "\u{1B}[32m\(text)\u{1B}[0m" : text }

    /// Returns a string in one line, without characters that a terminal would interpret as a command.
    ///
    /// Names in a store may contain any characters.
    static func printable(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where scalar == "\u{200D}": shown.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

extension Int {
    /// The number with a comma before every three digits.
    var grouped: String {
        var digits = String(magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// The number of bytes in the unit that leaves at most three digits before the point.
    var bytes: String {
        var (number, units) = (Double(self), ["bytes", "KB", "MB", "GB", "TB"][...])
        while number >= 999.5, units.count > 1 {
            number /= 1000
            units = units.dropFirst()
        }
        let digits = units.first == "bytes" || number >= 99.95 ? "%.0f" : "%.1f"
        return String(format: digits, number) + " " + (units.first ?? "")
    }
}
