import CofferCLibPQ

/// A warning that the server itself raised; warnings that a function or trigger raised are left out.
struct PostgreSQLWarning: Sendable {
    let state: String
    let words: String

    /// - Parameter notice: the notice that libpq received. The result is nil if it is not a warning of the server
    ///   itself.
    init?(_ notice: OpaquePointer) {
        func field(_ letter: Character) -> String? {
            letter.asciiValue.flatMap { PQresultErrorField(notice, Int32($0)) }.map { String(cString: $0) }
        }
        // Field V is the severity, which is not translated. Field W is the context, which names a function or
        // trigger.
        guard field("V") == "WARNING", field("W") == nil else { return nil }
        state = field("C") ?? ""
        words = PostgreSQLFailure.line([field("M"), field("D")].compactMap(\.self).joined(separator: "\n"))
    }

    var cause: String { "PostgreSQL warning \(state): \(words)" }
}
