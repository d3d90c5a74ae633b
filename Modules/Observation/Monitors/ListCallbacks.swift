import CofferSchema
import Foundation

/// The callbacks of one observer of a list monitor, and the kinds of changes that they receive.
///
/// A callback that the observer does not implement is nil. Observers are held weakly.
struct ListCallbacks<O: DynamicObject> {
    /// What became of one object or section.
    enum Event {
        case inserted(O, IndexPath)
        case deleted(O, IndexPath)
        case updated(O, IndexPath)
        case moved(O, from: IndexPath, to: IndexPath)
        case sectionInserted(SectionInfo, Int)
        case sectionDeleted(SectionInfo, Int)
    }

    typealias Callback = (ListMonitor<O>, Any?) -> Void

    weak var observer: AnyObject?
    let willChange: Callback
    let didChange: Callback
    let willRefetch: Callback
    let didRefetch: Callback
    private(set) var object: ((ListMonitor<O>, Event, Any?) -> Void)?
    private(set) var section: ((ListMonitor<O>, Event, Any?) -> Void)?

    init<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
        self.observer = observer
        willChange = { [weak observer] in observer?.listMonitorWillChange($0, sourceIdentifier: $1) }
        didChange = { [weak observer] in observer?.listMonitorDidChange($0, sourceIdentifier: $1) }
        willRefetch = { [weak observer] in observer?.listMonitorWillRefetch($0, sourceIdentifier: $1) }
        didRefetch = { [weak observer] in observer?.listMonitorDidRefetch($0, sourceIdentifier: $1) }
    }

    /// Adds what became of objects.
    init<U: ListObjectObserver>(objects observer: U) where U.ListEntityType == O {
        self.init(observer)
        object = { [weak observer] monitor, event, source in
            switch event {
            case .inserted(let object, let path):
                observer?.listMonitor(monitor, didInsertObject: object, toIndexPath: path, sourceIdentifier: source)
            case .deleted(let object, let path):
                observer?.listMonitor(monitor, didDeleteObject: object, fromIndexPath: path, sourceIdentifier: source)
            case .updated(let object, let path):
                observer?.listMonitor(monitor, didUpdateObject: object, atIndexPath: path, sourceIdentifier: source)
            case .moved(let object, let from, let to):
                observer?.listMonitor(
                    monitor, didMoveObject: object, fromIndexPath: from, toIndexPath: to, sourceIdentifier: source)
            case .sectionInserted, .sectionDeleted: break
            }
        }
    }

    /// Adds what became of objects and sections.
    init<U: ListSectionObserver>(sections observer: U) where U.ListEntityType == O {
        self.init(objects: observer)
        section = { [weak observer] monitor, event, source in
            switch event {
            case .sectionInserted(let section, let index):
                observer?.listMonitor(
                    monitor, didInsertSection: section, toSectionIndex: index, sourceIdentifier: source)
            case .sectionDeleted(let section, let index):
                observer?.listMonitor(
                    monitor, didDeleteSection: section, fromSectionIndex: index, sourceIdentifier: source)
            case .inserted, .deleted, .updated, .moved: break
            }
        }
    }
}
