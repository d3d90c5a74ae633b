/// Converts the configuration of a store to the options of its connections.
extension SQLiteConfiguration {
    /// The options of each connection.
    var connection: SQLiteConnectionOptions {
        SQLiteConnectionOptions(
            synchronous: synchronous.rawValue, cacheSize: cacheSize, busyTimeLimit: busyTimeLimit,
            maximumPageCount: maximumPageCount, onStatement: onStatement)
    }
}
