/// The name of the module in programs for CoreStore, as in `CoreStore.LogLevel`.
public enum CoreStore {
    /// The severity of a log message.
    @available(*, deprecated, message: "Write 'LogLevel': the module is called Coffer.")
    public typealias LogLevel = CofferSchema.LogLevel
}
