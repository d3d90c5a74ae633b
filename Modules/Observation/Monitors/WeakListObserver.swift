import CofferSchema
import Foundation

/// One observer of a list monitor, by the kinds of changes that it receives.
///
/// The observer is held weakly. A kind of changes that the observer does not receive is nil.
struct WeakListObserver<O: DynamicObject> {
    /// What became of one object or section.
    enum Event {
        case inserted(O, IndexPath)
        case deleted(O, IndexPath)
        case updated(O, IndexPath)
        case moved(O, from: IndexPath, to: IndexPath)
        case sectionInserted(SectionInfo, Int)
        case sectionDeleted(SectionInfo, Int)
    }

    weak var list: (any ListObserver<O>)?
    weak var objects: (any ListObjectObserver<O>)?
    weak var sections: (any ListSectionObserver<O>)?

    /// Reports what became of an object or a section, if the observer receives such changes.
    func receive(_ event: Event, from monitor: ListMonitor<O>, _ source: Any?) {
        switch event {
        case .inserted(let object, let path):
            objects?.listMonitor(monitor, didInsertObject: object, toIndexPath: path, sourceIdentifier: source)
        case .deleted(let object, let path):
            objects?.listMonitor(monitor, didDeleteObject: object, fromIndexPath: path, sourceIdentifier: source)
        case .updated(let object, let path):
            objects?.listMonitor(monitor, didUpdateObject: object, atIndexPath: path, sourceIdentifier: source)
        case .moved(let object, let from, let to):
            objects?.listMonitor(
                monitor, didMoveObject: object, fromIndexPath: from, toIndexPath: to, sourceIdentifier: source)
        case .sectionInserted(let section, let index):
            sections?.listMonitor(monitor, didInsertSection: section, toSectionIndex: index, sourceIdentifier: source)
        case .sectionDeleted(let section, let index):
            sections?.listMonitor(monitor, didDeleteSection: section, fromSectionIndex: index, sourceIdentifier: source)
        }
    }
}
