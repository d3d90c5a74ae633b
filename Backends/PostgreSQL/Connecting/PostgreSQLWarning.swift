import CofferCLibPQ

/// A warning that the server itself raised; warnings that a function or trigger raised are left out.
struct PostgreSQLWarning: Sendable {
    let state: String
    let words: String

    /// - Parameter notice: what libpq got; nil where it is no warning of the server's own.
    init?(_ notice: OpaquePointer) {
        func field(_ letter: Character) -> String? {
            letter.asciiValue.flatMap { PQresultErrorField(notice, Int32($0)) }.map { String(cString: $0) }
        }
        // The severity that is not translated. A context says which function, or trigger, it comes from.
        guard field("V") == "WARNING", field("W") == nil else { return nil }
        state = field("C") ?? ""
        words = PostgreSQLFailure.line([field("M"), field("D")].compactMap(\.self).joined(separator: "\n"))
    }

    var cause: String { "PostgreSQL warning \(state): \(words)" }
}
