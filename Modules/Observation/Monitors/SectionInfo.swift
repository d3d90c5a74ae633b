/// A section of a monitored list, at the moment when the program requested it.
public final class SectionInfo: Hashable {
    /// The section's name: the common value of its objects, as a string.
    public let name: String
    /// The title that the `sectionIndexTransformer` returns for the name.
    public let indexTitle: String?
    /// The number of objects in the section.
    public let numberOfObjects: Int
    private let makeObjects: () -> [Any]

    init(name: String, indexTitle: String?, numberOfObjects: Int, _ makeObjects: @escaping () -> [Any] = { [] }) {
        self.name = name
        self.indexTitle = indexTitle
        self.numberOfObjects = numberOfObjects
        self.makeObjects = makeObjects
    }

    /// The objects in the section, in their order.
    public private(set) lazy var objects: [Any]? = makeObjects()

    /// Returns whether both values have the same section, with the same objects in the same order.
    public static func == (lhs: SectionInfo, rhs: SectionInfo) -> Bool {
        if lhs === rhs { return true }
        guard
            lhs.name == rhs.name, lhs.indexTitle == rhs.indexTitle, lhs.numberOfObjects == rhs.numberOfObjects,
            let left = lhs.objects, let right = rhs.objects
        else { return false }
        return left.elementsEqual(right) { ($0 as AnyObject) === ($1 as AnyObject) }
    }

    /// Hashes the name and the number of objects.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(numberOfObjects)
    }
}

/// The name of the type in Core Data.
@available(*, deprecated, renamed: "SectionInfo")
public typealias NSFetchedResultsSectionInfo = SectionInfo
