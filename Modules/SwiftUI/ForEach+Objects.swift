#if canImport(SwiftUI)
    import CofferClauses
    public import CofferObservation
    public import CofferSchema
    public import CofferStorage
    public import SwiftUI

    /// Creates SwiftUI views for the objects and sections of a list: `ForEach(objectIn: list)`.
    ///
    /// A view keeps its identity for as long as its object or section is in the list.
    extension ForEach where Content: View {
        /// Creates a view for each snapshot of a collection.
        ///
        /// ```swift
        /// ForEach(people) { person in
        ///     Text(person.$name)
        /// }
        /// ```
        public init<O: DynamicObject>(
            _ objectSnapshots: Data, @ViewBuilder content: @escaping (ObjectSnapshot<O>) -> Content
        ) where Data.Element == ObjectSnapshot<O>, ID == ObjectID {
            self.init(objectSnapshots, id: \.identity, content: content)
        }

        /// Creates a view for each object of a list.
        ///
        /// ```swift
        /// ForEach(objectIn: people) { person in
        ///     ObjectReader(person) { Text($0.$name) }
        /// }
        /// ```
        public init<O: DynamicObject>(
            objectIn listSnapshot: Data, @ViewBuilder content: @escaping (ObjectPublisher<O>) -> Content
        ) where Data == ListSnapshot<O>, ID == ObjectID {
            self.init(listSnapshot, id: \.identity, content: content)
        }

        /// Creates a view for each publisher of a collection.
        public init<O: DynamicObject>(
            objectIn objectPublishers: Data, @ViewBuilder content: @escaping (ObjectPublisher<O>) -> Content
        ) where Data.Element == ObjectPublisher<O>, ID == ObjectID {
            self.init(objectPublishers, id: \.identity, content: content)
        }

        /// Creates a view for each section of a list.
        ///
        /// ```swift
        /// ForEach(sectionIn: people) { section in
        ///     Section(header: Text(section.sectionID)) {
        ///         ForEach(objectIn: section) { PersonRow(person: $0) }
        ///     }
        /// }
        /// ```
        public init<O: DynamicObject>(
            sectionIn listSnapshot: ListSnapshot<O>,
            @ViewBuilder content: @escaping (ListSnapshot<O>.SectionInfo) -> Content
        ) where Data == [ListSnapshot<O>.SectionInfo], ID == ListSnapshot<O>.SectionID {
            self.init(listSnapshot.sections(), id: \.sectionID, content: content)
        }

        /// Creates a view for each object of a section.
        public init<O: DynamicObject>(
            objectIn sectionInfo: Data, @ViewBuilder content: @escaping (ObjectPublisher<O>) -> Content
        ) where Data == ListSnapshot<O>.SectionInfo, ID == ObjectID {
            self.init(sectionInfo, id: \.identity, content: content)
        }
    }

    extension AnyObjectRepresentation {
        /// The id of the object, as a property for key paths.
        fileprivate var identity: ObjectID { objectID() }
    }
#endif
