/// An option of a store's URL: its name and description; this file also declares `configuration` and `recreate`.
public struct StorageOption: Hashable, Sendable {
    /// The name of the option.
    public let name: String
    /// A short description of the option and its values.
    public let summary: String
    /// Whether the value is secret, such as a password, and must not be shown.
    public let isSecret: Bool

    /// Creates an option.
    public init(_ name: String, _ summary: String, isSecret: Bool = false) {
        self.name = name
        self.summary = summary
        self.isSecret = isSecret
    }
}

extension StorageOption {
    /// The option that names the configuration whose entities the store holds; every backend has it.
    public static let configuration = StorageOption("configuration", "the configuration with the entities of the store")
    /// Whether data of another model is dropped.
    public static let recreate = StorageOption(
        "recreate", "true to erase a store with data of another model; false otherwise")
}
