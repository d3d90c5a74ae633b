/// The module's name in programs that were written for CoreStore: `CoreStore.LogLevel`.
public enum CoreStore {
    /// How grave a log message is.
    @available(*, deprecated, message: "Write 'LogLevel': the module is called Coffer.")
    public typealias LogLevel = CofferSchema.LogLevel
}
