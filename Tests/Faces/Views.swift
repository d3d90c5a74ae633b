import Coffer
import CofferSwiftUI
import SwiftUI

// snippet: list
struct People: View {
    @ListState(From<Person>().orderBy(.ascending(\.$name)), in: Globals.dataStack)
    var people: ListSnapshot<Person>

    var body: some View {
        List {
            ForEach(objectIn: people) { person in
                PersonRow(person)
            }
        }
        .animation(.default)
    }
}
// end

// snippet: object
struct PersonRow: View {
    @ObjectState var person: ObjectSnapshot<Person>?

    init(_ publisher: ObjectPublisher<Person>) {
        _person = .init(publisher)
    }

    var body: some View {
        if let person {
            Text("\(person.$name), \(person.$age)")
        } else {
            Text("Record removed")
        }
    }
}
// end

// snippet: parameter
struct Members: View {
    @ListState var members: ListSnapshot<Person>

    init(olderThan age: Int) {
        _members = .init(
            From<Person>().where { $0.$isMember == true && $0.$age > age }.orderBy(.ascending(\.$name)),
            in: Globals.dataStack)
    }

    var body: some View {
        ForEach(objectIn: members) { PersonRow($0) }
    }
}
// end

// snippet: sections
struct PeopleByAge: View {
    @ListState(
        From<Person>().sectionBy(\.$age).orderBy(.ascending(\.$age), .ascending(\.$name)), in: Globals.dataStack)
    var people: ListSnapshot<Person>

    var body: some View {
        List {
            ForEach(sectionIn: people) { section in
                Section(header: Text(section.sectionID)) {
                    ForEach(objectIn: section) { PersonRow($0) }
                }
            }
        }
    }
}
// end

// snippet: readers
struct Summary: View {
    let people: ListPublisher<Person>
    let owner: ObjectPublisher<Person>

    var body: some View {
        VStack {
            ListReader(people, keyPath: \.count) { count in
                Text("Number of members: \(count)")
            }
            ObjectReader(owner) { owner in
                Text("Owner: \(owner.$name)")
            } placeholder: {
                Text("No owner")
            }
        }
    }
}
// end

// snippet: environment
struct AddButton: View {
    @Environment(\.dataStack) var dataStack: DataStack

    var body: some View {
        Button("Add") {
            dataStack.perform(
                asynchronous: { $0.create(Into<Person>()).name = "New" },
                completion: { _ in })
        }
    }
}
// end

// snippet: form
struct PersonForm: View {
    @ObservedObject var person: Person  // of an unsafe transaction

    var body: some View {
        TextField("Name", text: $person.name)
    }
}
// end

/// Every initialiser, used as in CoreStore's readme and documentation.
struct EveryInitialiser: View {
    @ListState(
        From<Person>().where(\.$isMember == true).orderBy(.ascending(\.$name)))
    var ofDefaultStack: ListSnapshot<Person>

    @ListState(From<Person>().sectionBy(\.$age).where(\.$isMember == true).orderBy(.ascending(\.$age)))
    var sectionsOfDefaultStack: ListSnapshot<Person>

    @ListState(
        From<Person>(), Where<Person>(\.$isMember == true), OrderBy<Person>(.ascending(\.$name)), in: Globals.dataStack)
    var ofClauses: ListSnapshot<Person>

    @ListState(
        From<Person>(), [Where<Person>(\.$isMember == true), OrderBy<Person>(.ascending(\.$name))],
        in: Globals.dataStack)
    var ofArray: ListSnapshot<Person>

    @ListState(
        From<Person>(), SectionBy(\.$age), Where<Person>(\.$isMember == true), OrderBy<Person>(.ascending(\.$age)),
        in: Globals.dataStack)
    var inSections: ListSnapshot<Person>

    @ListState(
        From<Person>(), SectionBy(\.$age), [OrderBy<Person>(.ascending(\.$age))], in: Globals.dataStack)
    var inSectionsOfArray: ListSnapshot<Person>

    @ListState var ofPublisher: ListSnapshot<Person>
    @ObjectState var ofObject: ObjectSnapshot<Person>?
    let snapshots: [ObjectSnapshot<Person>]
    let publishers: [ObjectPublisher<Person>]

    init(_ list: ListPublisher<Person>, _ object: ObjectPublisher<Person>?) {
        self._ofPublisher = .init(list)
        self._ofObject = .init(object)
        snapshots = []
        publishers = []
    }

    var body: some View {
        VStack {
            ForEach(self.snapshots) { objectSnapshot in Text(objectSnapshot.$name) }
            ForEach(objectIn: self.ofPublisher) { objectPublisher in
                ObjectReader(objectPublisher, keyPath: \.$name) { Text("Name: \($0)") }
            }
            ForEach(objectIn: self.publishers) { objectPublisher in
                ObjectReader(objectPublisher) { Text($0.$name) }
            }
            ForEach(sectionIn: self.inSections) { sectionInfo in
                ForEach(objectIn: sectionInfo) { objectPublisher in
                    ObjectReader(
                        objectPublisher, keyPath: \.$age, content: { Text("\($0)") },
                        placeholder: { Text("Record not found") })
                }
            }
            ListReader(self.$ofPublisher) { listSnapshot in
                ForEach(objectIn: listSnapshot) { PersonRow($0) }
            }
            ObjectReader(self.$ofObject, content: { Text($0.$name) }, placeholder: { Text("Record not found") })
        }
        .environment(\.dataStack, Globals.dataStack)
    }
}
