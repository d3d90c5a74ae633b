public import Hummingbird

/// The JSON of a dog.
public struct DogLine: ResponseCodable, Equatable, Sendable {
    /// The name that the dog is called by.
    public let nickname: String
    /// The age in years.
    public let age: Int

    /// Creates the line of a dog.
    public init(nickname: String, age: Int) {
        self.nickname = nickname
        self.age = age
    }
}
