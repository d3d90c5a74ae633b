import TestSupport
import Testing

@testable import CofferObservation

/// The order and the cost of lists of observers.
struct ObserverListCostTests {
    private final class Observer {}

    private final class Entry {
        weak var observer: Observer?
        let name: Int
        init(_ observer: Observer, _ name: Int) { (self.observer, self.name) = (observer, name) }
    }

    private func called(_ list: ObserverList<Entry>) -> [Int] {
        var names: [Int] = []
        list.forEach { names.append($0.name) }
        return names
    }

    @Test(.pins("OBS-42")) func `adding many observers checks each observer only a few times`() {
        var lookCount = 0
        let list = ObserverList<Entry> { entry in
            lookCount += 1
            return entry.observer
        }
        let observers = (0..<2_000).map { _ in Observer() }
        for (name, observer) in observers.enumerated() { list.add(Entry(observer, name)) }
        #expect(lookCount < 10 * observers.count)
        #expect(called(list) == Array(0..<2_000))
    }

    @Test(.pins("OBS-42")) func `an observer that is added twice is called once, after the other observers`() {
        let list = ObserverList<Entry> { $0.observer }
        let observers = (0..<3).map { _ in Observer() }
        for (name, observer) in observers.enumerated() { list.add(Entry(observer, name)) }
        list.add(Entry(observers[0], 7))
        #expect(called(list) == [1, 2, 7])
        list.remove(observers[0])
        list.remove(observers[0])
        #expect(called(list) == [1, 2])
        list.add(Entry(observers[0], 8))
        #expect(called(list) == [1, 2, 8])
    }

    @Test(.pins("OBS-42")) func `removed and deallocated observers are not called and leave no entries`() {
        let list = ObserverList<Entry> { $0.observer }
        weak var first: Entry?
        var observers: [Observer] = []
        for name in 0..<1_000 {
            let (kept, dropped) = (Observer(), Observer())
            observers.append(kept)
            list.add(Entry(kept, name))
            let entry = Entry(dropped, -1)
            if name == 0 { first = entry }
            list.add(entry)
        }
        #expect(called(list) == Array(0..<1_000) && first == nil)
        // Each observer removes itself and the observer after the next one.
        var names: [Int] = []
        list.forEach { entry in
            names.append(entry.name)
            if entry.name + 2 < observers.count { list.remove(observers[entry.name + 2]) }
            list.remove(observers[entry.name])
        }
        #expect(names == (0..<1_000).filter { $0 % 4 < 2 })
        #expect(called(list) == [])
    }

    @Test(.pins("OBS-42")) func `an observer that is added during a notification is called in the next one`() {
        let list = ObserverList<Entry> { $0.observer }
        let observers = [Observer(), Observer()]
        list.add(Entry(observers[0], 0))
        var names: [Int] = []
        list.forEach { entry in
            names.append(entry.name)
            list.add(Entry(observers[1], 1))
        }
        #expect(names == [0] && called(list) == [0, 1])
    }
}
