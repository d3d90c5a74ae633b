/// An option that the URL of a store may have, as its backend lists it.
public struct StorageOption: Hashable, Sendable {
    /// The option's name.
    public let name: String
    /// What it does, in a few words, with the values it takes.
    public let summary: String
    /// Whether its value must be shown nowhere, as that of a password.
    public let isSecret: Bool

    /// An option.
    public init(_ name: String, _ summary: String, isSecret: Bool = false) {
        self.name = name
        self.summary = summary
        self.isSecret = isSecret
    }
}

extension StorageOption {
    /// The name of the subset of the entities that the store holds; every backend has it.
    public static let configuration = StorageOption("configuration", "the configuration whose entities it holds")
    /// Whether data of another model are dropped.
    public static let recreate = StorageOption(
        "recreate", "true to erase a store that holds data of another model; false otherwise")
}
