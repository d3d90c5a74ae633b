import Coffer
import CofferSwiftUI
import SwiftUI

// The program reads the values that a view reads. It calls update() before each body, as SwiftUI does.

extension ListSnapshot where O == Person {
    var names: String { map { $0.snapshot?.$name ?? "?" }.joined(separator: " ") }
}

let stack = try DataStack.people("Bob", "Cat")
let order = OrderBy<Person>(.ascending(\.$name))

// A list of clauses is created again with its view. It keeps its publisher until the clauses differ.
var list = ListState<Person>(From<Person>().orderBy(.ascending(\.$name)), in: stack)
list.update()
Checks.expect(list.wrappedValue.names, "Bob Cat")
let publisher = list.projectedValue
try stack.add("Ann")
Checks.expect(list.wrappedValue.names, "Ann Bob Cat")
list = showAgain(ListState(From<Person>().orderBy(.ascending(\.$name)), in: stack), as: list)
Checks.expect(list.projectedValue === publisher, true)
let other = showAgain(ListState(From<Person>().where(\.$name > "B").orderBy(.ascending(\.$name)), in: stack), as: list)
Checks.expect(other.projectedValue === publisher, false)
Checks.expect(other.wrappedValue.names, "Bob Cat")
list = showAgain(ListState(publisher), as: other)
Checks.expect(list.wrappedValue.names, "Ann Bob Cat")

// A list may be read before it is shown.
CoreStoreDefaults.dataStack = stack
Checks.expect(ListState<Person>(From<Person>(), order).wrappedValue.count, 3)
Checks.expect(ListState<Person>(From<Person>(), [order], in: stack).wrappedValue.numberOfSections, 1)
Checks.expect(
    ListState<Person>(From<Person>(), SectionBy(\.$name), order).wrappedValue.sectionIDs, ["Ann", "Bob", "Cat"])
Checks.expect(
    ListState<Person>(From<Person>(), SectionBy(\.$name), [order], in: stack).wrappedValue.numberOfSections, 3)
Checks.expect(
    ListState(From<Person>().sectionBy(\.$name).orderBy(.ascending(\.$name))).wrappedValue.numberOfSections, 3)
Checks.expect(ListState(publisher).projectedValue === publisher, true)

// An object is shown until it is deleted.
let ann = publisher.snapshot[0]
let former = ObjectState<Person>(publisher.snapshot[1])
Checks.expect(former.wrappedValue?.$name, "Bob")
let object = showAgain(ObjectState<Person>(ann), as: former)
Checks.expect(object.wrappedValue?.$name, "Ann")
try stack.rename("Ann", to: "Eve")
Checks.expect(object.wrappedValue?.$name, "Eve")
Checks.expect(object.projectedValue === ann, true)
Checks.expect(ObjectState<Person>(nil).wrappedValue == nil, true)

// An object notifies its subscribers of changes until they cancel.
final class Counter: Subscriber {
    var (count, subscription): (Int, (any Subscription)?) = (0, nil)
    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.max(1))
    }
    func receive(_ input: Void) -> Subscribers.Demand {
        count += 1
        return count < 2 ? .max(1) : .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
}

let person = try stack.fetchOne(From<Person>().where(\.$name == "Eve"))
let (twice, cancelled) = (Counter(), Counter())
person?.objectWillChange.receive(subscriber: twice)
person?.objectWillChange.receive(subscriber: cancelled)
cancelled.subscription?.cancel()
for name in ["Fay", "Gus", "Hal"] { try stack.rename(person?.name ?? "", to: name) }
Checks.expect(twice.count, 2)
Checks.expect(cancelled.count, 0)

try stack.remove("Hal")
Checks.expect(object.wrappedValue == nil, true)
Checks.expect(list.wrappedValue.names, "Bob Cat")

// The readers' content, and the identities of the views of a list.
var shown = ""
_ =
    ListReader(publisher, keyPath: \.count) { count in
        let _ = shown += "\(count) "; Text("")
    }.body
_ =
    ListReader(publisher) { list in
        let _ = shown += "\(list.names) "; Text("")
    }.body
_ =
    ObjectReader(publisher.snapshot[0], keyPath: \.$name) { name in
        let _ = shown += "\(name) "; Text("")
    }.body
_ =
    ObjectReader(ann) { _ in
        Text("")
    } placeholder: {
        let _ = shown += "removed "; Text("")
    }.body
let views = ForEach(objectIn: publisher.snapshot) { person in
    let _ = shown += person.snapshot?.$name ?? ""; Text("")
}
for person in views.data { _ = views.content(person) }
Checks.expect(shown, "2 Bob Cat Bob removed BobCat")
Checks.expect(EnvironmentValues().dataStack === stack, true)
Checks.end()
