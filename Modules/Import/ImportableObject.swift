public import CofferSchema
public import CofferTransactions

/// A class whose objects are created from values of another type, such as parsed JSON.
///
/// ```swift
/// class Note: CoreStoreObject, ImportableObject {
///     @Field.Stored("text") var text: String = ""
///
///     typealias ImportSource = [String: String]
///
///     func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws {
///         text = source["text"] ?? ""
///     }
/// }
///
/// try stack.perform(synchronous: { transaction in
///     _ = try transaction.importObject(Into<Note>(), source: ["text": "Buy milk"])
/// })
/// ```
///
/// Each import creates a new object. A class whose sources have a unique id adopts ``ImportableUniqueObject`` instead.
///
/// If a method of the class throws, the import ends with the same error. If the error ends the transaction, nothing is
/// saved.
public protocol ImportableObject: DynamicObject {
    /// The type of the values from which objects are imported.
    ///
    /// Any type is possible: a dictionary, a `Decodable` structure, an optional, `Void`.
    associatedtype ImportSource

    /// Returns whether an import creates an object from a source.
    ///
    /// An import leaves out a source for which the result is false, and continues with the next one.
    static func shouldInsert(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool

    /// Copies the values of a source to an object that the import has just created.
    ///
    /// If the method throws, the import ends and throws the same error. The new object stays in the transaction: let
    /// the error end the transaction, or delete the object.
    func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws
}

extension ImportableObject {
    /// Returns true.
    public static func shouldInsert(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool { true }
}
