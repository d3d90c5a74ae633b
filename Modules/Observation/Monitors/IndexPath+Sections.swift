#if !canImport(UIKit) && !canImport(AppKit)
    public import Foundation

    /// The places in a list of sections, which UIKit and AppKit have names for.
    extension IndexPath {
        /// The place of an object in a section.
        public init(item: Int, section: Int) {
            self.init(indexes: [section, item])
        }

        /// The place of an object in a section.
        public init(row: Int, section: Int) {
            self.init(indexes: [section, row])
        }

        /// The number of the section.
        public var section: Int {
            get { self[0] }
            set { self[0] = newValue }
        }

        /// The number of the object in its section.
        public var item: Int {
            get { self[1] }
            set { self[1] = newValue }
        }

        /// The number of the object in its section.
        public var row: Int {
            get { self[1] }
            set { self[1] = newValue }
        }
    }
#endif
