public import CofferSchema
public import CofferTransactions

/// A class whose objects have a unique id: its methods, their defaults, and the error for a missing id attribute.
///
/// ```swift
/// class City: CoreStoreObject, ImportableUniqueObject {
///     @Field.Stored("code") var code: String = ""
///     @Field.Stored("name") var name: String = ""
///
///     struct ImportSource: Decodable {
///         var code: String
///         var name: String
///     }
///
///     static var uniqueIDKeyPath: String { "code" }
///
///     static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> String? {
///         source.code
///     }
///
///     func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
///         name = source.name
///     }
/// }
/// ```
///
/// The import compares ids as a condition with `==` does: strings are compared by their bytes. The import needs no
/// unique constraint. A constraint on the attribute is still useful, because it also applies to other processes.
///
/// If a method of the class throws, the import ends with the same error. If the error ends the transaction, nothing is
/// saved. If `uniqueIDKeyPath` names no attribute, an import throws ``CoreStoreError``.
public protocol ImportableUniqueObject: ImportableObject, Hashable {
    /// The type of the values from which objects are imported.
    associatedtype ImportSource

    /// The type of the unique id.
    associatedtype UniqueIDType: ImportableAttributeType

    /// The name of the attribute that holds the unique id.
    ///
    /// An index on the attribute makes imports into large stores fast.
    static var uniqueIDKeyPath: String { get }

    /// The unique id of the object.
    ///
    /// The default implementation reads and writes the attribute ``uniqueIDKeyPath`` without the accessors of its
    /// field.
    var uniqueIDValue: UniqueIDType { get set }

    /// Returns whether an import creates an object from a source if no object has the source's unique id.
    ///
    /// The default implementation returns the result of ``shouldUpdate(from:in:)``.
    static func shouldInsert(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool

    /// Returns whether an import updates the object that has the unique id of a source.
    ///
    /// The default implementation returns true.
    static func shouldUpdate(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool

    /// Returns the unique id of a source, or nil to leave the source out.
    ///
    /// If the method throws, the import ends before it changes anything, and throws the same error.
    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> UniqueIDType?

    /// Copies the values of a source to an object that the import has just created.
    ///
    /// The object has its unique id already. The default implementation calls ``update(from:in:)``.
    func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws

    /// Copies the values of a source to an existing object.
    ///
    /// If the method throws, the import ends and throws the same error. Changes that were made before stay in the
    /// transaction.
    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws
}

extension ImportableUniqueObject {
    /// Returns the result of ``shouldUpdate(from:in:)``.
    public static func shouldInsert(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool {
        shouldUpdate(from: source, in: transaction)
    }

    /// Returns true.
    public static func shouldUpdate(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool { true }

    /// Calls ``update(from:in:)``.
    public func didInsert(from source: Self.ImportSource, in transaction: BaseDataTransaction) throws {
        try update(from: source, in: transaction)
    }
}

extension ImportableUniqueObject where UniqueIDType.QueryableNativeType: CoreDataNativeType {
    /// The value of the attribute ``uniqueIDKeyPath``, without the accessors of its field.
    ///
    /// The program stops if the class has no such attribute, or if the attribute is optional and has no value.
    public var uniqueIDValue: UniqueIDType {
        get {
            guard let value = (self as? CoreStoreObject)?.attributeValue(Self.uniqueIDKeyPath, UniqueIDType.self) else {
                Diagnostics.abort("'\(Self.self)' has no attribute '\(Self.uniqueIDKeyPath)'. \(Self.advice)")
            }
            return value
        }
        set {
            guard (self as? CoreStoreObject)?.setAttributeValue(newValue, Self.uniqueIDKeyPath) == true else {
                return Diagnostics.refuse("'\(Self.self)' has no attribute '\(Self.uniqueIDKeyPath)'. \(Self.advice)")
            }
        }
    }

    private static var advice: String { "Let 'uniqueIDKeyPath' return the name of a stored field." }
}
