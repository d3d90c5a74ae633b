public import Coffer
public import CofferConfiguration
import Dispatch

/// A dog of the kennel.
public final class Dog: CoreStoreObject {
    /// The name that the dog is called by.
    @Field.Stored("nickname") public var nickname: String = ""
    /// The age in years.
    @Field.Stored("age") public var age: Int = 0
}

// snippet: live-stack
/// The data stack of a server.
///
/// A server does not run a main run loop, so the stack gets a view queue of its own.
public func makeKennel(_ settings: StorageConfiguration) throws -> DataStack {
    let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Dog>("Dog", indexes: [[\.$nickname]])])
    let stack = DataStack(schema, viewQueue: DispatchQueue(label: "kennel.view"))
    try stack.addStorageAndWait(settings.makeStorage())
    return stack
}
// end
