import TestSupport
import Testing

@testable import CofferObservation

struct ObserverListTests {
    /// An object that runs a closure when it is deallocated.
    private final class Leaver {
        var leave: (Leaver) -> Void = { _ in }

        deinit { leave(self) }
    }

    @Test(.pins("OBS-42"))
    func `an observer that removes itself on deallocation can be the last one to be checked`() {
        final class Entry {
            weak var observer: Leaver?
            init(_ observer: Leaver) { self.observer = observer }
        }
        var held: Leaver? = Leaver()
        // The only other reference to the observer ends while the list reads the observer.
        let list = ObserverList<Entry> { entry in
            let observer = entry.observer
            held = nil
            return observer
        }
        var leftCount = 0
        held?.leave = { leaver in
            leftCount += 1
            list.remove(leaver)
        }
        held.map { list.add(Entry($0)) }
        let other = Leaver()
        list.add(Entry(other))
        var called: [ObjectIdentifier] = []
        list.forEach { $0.observer.map { called.append(ObjectIdentifier($0)) } }
        #expect(leftCount == 1)
        #expect(called == [ObjectIdentifier(other)])
    }
}
