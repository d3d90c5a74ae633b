#if !canImport(UIKit) && !canImport(AppKit)
    public import Foundation

    /// Adds the section and item indexes of UIKit and AppKit to `IndexPath` on other platforms.
    extension IndexPath {
        /// Creates the index path of an object in a section.
        public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

        /// Creates the index path of an object in a section.
        public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

        /// The index of the section.
        public var section: Int {
            get { self[0] }
            set { self[0] = newValue }
        }

        /// The index of the object in its section.
        public var item: Int {
            get { self[1] }
            set { self[1] = newValue }
        }

        /// The index of the object in its section.
        public var row: Int {
            get { self[1] }
            set { self[1] = newValue }
        }
    }
#endif
