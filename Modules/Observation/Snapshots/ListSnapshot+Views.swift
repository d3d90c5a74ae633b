import CofferSchema
import CofferStorage
package import CofferTransactions
package import Foundation

/// Finds items, index paths and index titles of a list snapshot, for the data sources that show it.
extension ListSnapshot {
    /// A snapshot without sections and items.
    package init(emptyIn stack: DataStack?) { self.init(ListTree(), stack) }

    /// Returns the id of the item at an index path of a section and an item; nil if there is no such item.
    package func itemID(at indexPath: IndexPath) -> ItemID? {
        guard indexPath.count == 2 else { return nil }
        return safePlace(indexPath[1], inSection: indexPath[0]).map { items.id(at: $0) }
    }

    /// Returns the index path of an item; nil if the item is not in the list.
    package func indexPath(ofItemWithID itemID: ItemID) -> IndexPath? {
        guard let place = indexOfItem(withID: itemID) else { return nil }
        let section = items.section(ofPlace: place)
        return [section, place - items.places(ofSection: section).lowerBound]
    }

    /// Returns the name of a section; nil if the section does not exist.
    package func sectionID(at section: Int) -> SectionID? {
        section >= 0 && section < numberOfSections ? items.sectionID(at: section) : nil
    }

    /// Returns the index title of a section; nil if the section does not exist or has no title.
    ///
    /// A section of an edited snapshot has the title of the fetched section with its name.
    package func sectionIndexTitle(at section: Int) -> String? {
        guard let name = sectionID(at: section) else { return nil }
        let fetched = items.fetched
        func title(_ run: Int) -> String? { fetched[fetched.start(ofRun: run)].section?.indexTitle }
        guard case .edited = items else { return title(section) }
        let run = (0..<fetched.runCount).first { fetched[fetched.start(ofRun: $0)].section?.text == name }
        return run.flatMap(title)
    }
}
