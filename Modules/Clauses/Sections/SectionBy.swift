public import CofferSchema
public import CofferStorage

/// What divides a list into sections: the objects of a run in which the value is the same are one section.
///
/// ```swift
/// From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
/// ```
///
/// A section's name is the value as text: `"1"` and `"0"` for a boolean, `""` for nil. The order must bring equal values
/// together; nothing is added to it, and where it does not, a name comes up more than once.
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
