/// The options of a connection: time limits, prepared statements and the log of statements.
struct PostgreSQLConnectionOptions: Sendable {
    /// The seconds without an answer after which the server is asked over a second connection; nil never to ask.
    var serverCheckInterval: Double?
    /// The seconds to wait for rows that another writer holds.
    var busyTimeLimit: Double
    /// The seconds that the server works on one statement at most; nil for the limit of the server.
    var statementTimeLimit: Double?
    /// The seconds that a snapshot may be kept without a request; nil for the limit of the server.
    var idleTimeLimit: Double?
    /// Whether statements are prepared and kept by the server.
    var keepsStatements: Bool
    /// Called with the text of each statement as it starts.
    var onStatement: (@Sendable (String) -> Void)?
}
