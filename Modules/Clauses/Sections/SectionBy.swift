public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// Divides a list into sections: the objects with the same value are one section.
///
/// ```swift
/// From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
/// ```
///
/// A section's name is the value as text: `"1"` and `"0"` for a boolean, `""` for nil. The clause adds nothing to the order.
/// Objects of one section that the order has apart are moved together, so that no name comes up twice.
public struct SectionBy<O: DynamicObject> {
    /// The name of the field, or a path through to-one relationships.
    package let keyPath: KeyPathString
    /// Makes a section's index title of its name.
    package let sectionIndexTransformer: (_ sectionName: String?) -> String?

    /// Sections without index titles.
    ///
    /// - Parameter sectionKeyPath: the name of a field, or a path through to-one relationships: `"master.name"`.
    public init(_ sectionKeyPath: KeyPathString) {
        self.init(sectionKeyPath, sectionIndexTransformer: { _ in nil })
    }

    /// Sections with index titles.
    ///
    /// - Parameter sectionIndexTransformer: makes a section's index title of its name; nil for none.
    public init(
        _ sectionKeyPath: KeyPathString, sectionIndexTransformer: @escaping (_ sectionName: String?) -> String?
    ) {
        keyPath = sectionKeyPath
        self.sectionIndexTransformer = sectionIndexTransformer
    }
}

extension SectionBy: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the key path.
    public var description: String { "SectionBy<\(O.self)>(\(keyPath))" }

    /// The key path.
    public var coreStoreDumpString: String {
        DumpTree.text([("sectionKeyPath", keyPath)])
    }
}
