public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// Divides a list into sections: the field of the section names, and the closure for their index titles.
///
/// ```swift
/// let list = From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
/// ```
///
/// The name of a section is the value as a string: `"1"` and `"0"` for a Boolean, `""` for nil. The clause adds nothing
/// to the order. If the order separates objects of one section, the list moves the later objects behind the first ones,
/// so that each name occurs once.
///
/// If the key path is unknown, the list is empty, and the error is logged.
public struct SectionBy<O: DynamicObject> {
    /// The name of the field, or a path through to-one relationships.
    package let keyPath: KeyPathString
    /// The closure that returns the index title for the name of a section.
    package let sectionIndexTransformer: (_ sectionName: String?) -> String?

    /// Sections without index titles.
    ///
    /// - Parameter sectionKeyPath: the name of a field, or a path through to-one relationships: `"master.name"`.
    public init(_ sectionKeyPath: KeyPathString) {
        self.init(sectionKeyPath, sectionIndexTransformer: { _ in nil })
    }

    /// Sections with index titles.
    ///
    /// - Parameter sectionIndexTransformer: returns the index title for the name of a section; nil for none.
    public init(
        _ sectionKeyPath: KeyPathString, sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        keyPath = sectionKeyPath
        self.sectionIndexTransformer = sectionIndexTransformer
    }
}

extension SectionBy where O: CoreStoreObject {
    /// Sections by a field: `SectionBy(\Person.$city)`.
    public init<K: AttributeKeyPathStringConvertible>(_ sectionKeyPath: KeyPath<O, K>) {
        self.init(KeyPathString(keyPath: sectionKeyPath))
    }

    /// Sections by a field, with index titles.
    public init<K: AttributeKeyPathStringConvertible>(
        _ sectionKeyPath: KeyPath<O, K>, sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        self.init(KeyPathString(keyPath: sectionKeyPath), sectionIndexTransformer: sectionIndexTransformer)
    }
}

extension SectionBy: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the key path.
    public var description: String { "SectionBy<\(O.self)>(\(keyPath))" }

    /// The key path.
    public var coreStoreDumpString: String { DumpTree.text([("sectionKeyPath", keyPath)]) }
}
