import Coffer
import Foundation

// Clauses and fields that must not compile. Each line ends in a part of the message that the compiler must print for
// it.

func wrong(ann: Person?, day: Date) {
    // A property's name is misspelt.
    _ = dogs.where { $0.$agge > 3 }  // error: value of type 'Dog' has no member '$agge'
    _ = dogs.where { $0.$age > 3 && $0.$nme == "x" && $0.$weight < 2.5 }  // error: value of type 'Dog' has no member
    _ = people.where { $0.$age > 3 && $0.$pet.count() > 1 }  // error: value of type 'Person' has no member '$pet'
    _ = dogs.where(\Dog.$nme == "x")  // error: has no member '$nme'
    _ = people.where { $0.$master == nil }  // error: value of type 'Person' has no member '$master'
    // The '$' is missing.
    _ = dogs.where { $0.age > 3 }  // error: Write '$' before the names, as in '$0.$age > 3'
    _ = dogs.where { $0.age > 3 && $0.name == "x" }  // error: Write '$' before the names, as in '$0.$age > 3'
    _ = dogs.where { $0.age > 3 && $0.$name == "x" }  // error: Write '$' before the name of a field
    _ = dogs.where { $0.name.hasPrefix("R") }  // error: Write '$' before the names, as in '$0.$age > 3'
    _ = dogs.where { $0.master?.name == "Ann" }  // error: Write '$' before the names, as in '$0.$age > 3'
    _ = dogs.where { 3...5 ~= $0.age }  // error: Write '$' before the names, as in '$0.$age > 3'
    _ = dogs.where { ($0.master ~ \.$name) == "Ann" }  // error: use wrapper instead
    _ = dogs.where { ($0.$master ~ \.name) == "Ann" }  // error: Write '$' before the name, as in '$0.$master ~ \.$name'
    _ = people.where { ($0.$pets ~ \.age).any() > 3 }  // error: Write '$' before the name, as in '$0.$pets ~ \.$age'
    _ = dogs.orderBy(.ascending(\.$age)).where { $0.age > 3 }  // error: Write '$' before the names
    _ = dogs.select(Int.self, .count(\.$age)).where { $0.age > 3 }  // error: Write '$' before the names
    _ = Where<Dog> { $0.age > 3 }  // error: Write '$' before the names
    _ = dogs.where(\.age > 3)  // error: Write '$' before the name, as in '\.$age'
    _ = dogs.where(\.name == "x")  // error: Write '$' before the name, as in '\.$age'
    _ = dogs.orderBy(.ascending(\.age))  // error: Write '$' before the name, as in '.ascending(\.$age)'
    _ = dogs.orderBy(.descending(\.name), .ascending(\.$age))  // error: as in '.descending(\.$age)'
    _ = dogs.select(\.age)  // error: Write '$' before the name, as in 'select(\.$age)'
    _ = dogs.select(Int.self, .sum(\.$age)).groupBy(\.name)  // error: as in 'groupBy(\.$age)'
    _ = dogs.select(Int.self, .maximum(\.age))  // error: Write '$' before the name, as in '.maximum(\.$age)'
    _ = dogs.select(Int.self, .minimum(\.age))  // error: Write '$' before the name, as in '.minimum(\.$age)'
    _ = dogs.select(Int.self, .sum(\.age))  // error: Write '$' before the name, as in '.sum(\.$age)'
    _ = dogs.select(Double.self, .average(\.age))  // error: Write '$' before the name, as in '.average(\.$age)'
    _ = dogs.select(Int.self, .count(\.nickname))  // error: Write '$' before the name, as in '.count(\.$age)'
    _ = dogs.select(NSDictionary.self, .attribute(\.age), .sum(\.$age))  // error: as in '.attribute(\.$age)'
    _ = dogs.orderBy(.ascending { $0.age })  // error: Write '$' before the name, as in '.ascending { $0.$age }'
    _ = dogs.orderBy(.descending { $0.name })  // error: Write '$' before the name, as in '.descending { $0.$age }'
    _ = dogs.sectionBy(\.name)  // error: Write '$' before the name, as in 'sectionBy(\.$age)'
    _ = Where<Dog>(\.age, isEqualTo: 3)  // error: Write '$' before the name, as in 'Where(\.$age, isEqualTo: 3)'
    // The value has another type.
    _ = dogs.where { $0.$name == 5 }  // error: The value and the field have different types.
    _ = dogs.where { $0.$age > "5" }  // error: The value and the field have different types.
    _ = dogs.where { $0.$age > 3 && $0.$name == 5 && $0.$weight < 2.5 }  // error: The value and the field
    _ = dogs.where { $0.$age == "x" || $0.$age != 1.5 }  // error: The value and the field have different types.
    _ = dogs.where { $0.$weight > $0.$age }  // error: The value and the field have different types.
    _ = dogs.where { $0.$born > 5 }  // error: The value and the field have different types.
    _ = dogs.where { [3, 5] ~= $0.$name }  // error: The values and the field differ in type.
    _ = dogs.where { $0.$master == 5 }  // error: Compare a to-one relationship with an object
    _ = dogs.where { $0.$name.contains(5) }  // error: cannot convert value of type 'Int' to expected argument type
    _ = dogs.where { $0.$age + 1.5 > 2 }  // error: cannot convert value of type 'Double' to expected argument type
    _ = people.where { $0.$age.between("a"..."b") }  // error: cannot convert value of type 'String' to expected
    _ = dogs.where(\.$name > 5)  // error: cannot convert value of type 'Int' to expected argument type 'String'
    _ = dogs.where(\.$age == "x")  // error: cannot convert value of type 'String' to expected argument type 'Int'
    _ = dogs.where { $0.$age * 2 > "x" }  // error: The value and the expression have different types.
    _ = dogs.where { $0.$age * 2 == "x" }  // error: The value and the expression have different types.
    _ = dogs.where { ($0.$master ~ \.$age) <= "x" }  // error: The value and the expression have different types.
    _ = people.where { $0.$pets.count() > "x" }  // error: The value and the expression have different types.
    _ = people.where { ($0.$pets ~ \.$age).max() < "x" && $0.$name == "y" }  // error: expression have different types.
    _ = people.where { $0.$pets.count() >= 1.5 || $0.$age != 3 }  // error: and the expression have different types.
    _ = dogs.where { ($0.$master ~ \.$name) != 5 }  // error: The value and the expression have different types.
    // It is no condition.
    _ = people.where { $0.$name }  // error: as in '$0.$isMember == true'
    _ = people.where { !$0.$age }  // error: as in '$0.$isMember == false'
    _ = dogs.where { $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = dogs.where { $0.$isWild }  // error: as in '$0.$isMember == true'
    _ = dogs.where { !$0.$isTame && $0.$age > 3 }  // error: as in '$0.$isMember == false'
    _ = dogs.where { $0.$age > 3 || $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = dogs.where { $0.$isTame && $0.$age > 3 }  // error: as in '$0.$isMember == true'
    _ = dogs.orderBy(.ascending(\.$age)).where { $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = dogs.select(Int.self, .count(\.$age)).where { $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = dogs.sectionBy(\.$age).where { $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = Where<Dog> { $0.$isTame }  // error: as in '$0.$isMember == true'
    _ = dogs.where { $0.$name.contains("x") == true }  // error: Remove '== true'.
    _ = dogs.where { ($0.$name == "x") != true }  // error: For '!= true', write '!' before the condition.
    _ = dogs.where { $0.$name = "x" }  // error: cannot assign to property: '$name' is immutable
    // A Boolean is combined with a condition.
    _ = dogs.where { $0.$age > 3 && flag }  // error: and 'Where(flag)' for a Boolean
    _ = dogs.where { flag || $0.$age > 3 }  // error: and 'Where(flag)' for a Boolean
    _ = dogs.where { !$0.isTame && $0.$age > 3 }  // error: Write '$' before the name of a field
    _ = dogs.where { $0.$age > 3 && $0.isTame }  // error: Write '$' before the name of a field
    _ = dogs.where { $0.$age > 3 && $0.$name == "x" && $0.weight > 2 }  // error: Write '$' before the name of a field
    _ = dogs.where { $0.master?.name == "Ann" && $0.$age > 3 }  // error: Write '$' before the name of a field
    _ = dogs.where { $0.$nickname == maybe || maybe == nil }  // error: and 'Where(flag)' for a Boolean
    // The type of a related value can only be stored.
    _ = dogs.where { ($0.$master ~ \.$role) == .guest }  // error: Conform the type to 'ImportableAttributeType'
    _ = dogs.where { ($0.$master ~ \.$role) != Role.guest && $0.$age > 3 }  // error: Conform the type to
    // Core Data's names.
    _ = Where<Dog>(NSPredicate(value: true))  // error: Write 'Where("age > %d", 3)'
    _ = OrderBy<Dog>([NSSortDescriptor]())  // error: Write 'OrderBy(.ascending("age"))'
    _ = DataStack(xcodeModelName: "Model")  // error: Declare the classes, and write 'DataStack(CoreStoreSchema(…))'.
    _ = try? DataStack(CoreStoreSchema(modelVersion: "V1", entities: [])).addStorageAndWait()  // error: Pass a storage
    _ = NSFetchRequest<Dog>(entityName: "Dog")  // error: Use 'FetchRequest' in a 'Tweak'
}

/// An unsafe transaction has monitors and no publishers.
func wrong(transaction: UnsafeDataTransaction, dog: Dog) {
    _ = transaction.monitorList(dogs.orderBy(.ascending(\.$name)))
    _ = transaction.publishList(dogs.orderBy(.ascending(\.$name)))  // error: has no member 'publishList'
    _ = transaction.publishObject(dog)  // error: has no member 'publishObject'
}

class Cat: NSManagedObject {}  // error: Declare a subclass of CoreStoreObject

final class Owl: CoreStoreObject {
    // A field that is not optional has either a default or an initial value.
    @Field.Stored("a") var a: Int  // error: requires that 'Int' conform to 'FieldOptionalType'
    @Field.Stored("b", dynamicInitialValue: { 1 }) var b: Int = 2  // error: extra argument 'dynamicInitialValue'
    @Field.Coded("c", coder: FieldCoders.Json.self) var c: [Int]  // error: conform to 'FieldOptionalType'
    @Field.Coded("d", coder: FieldCoders.Json.self, dynamicInitialValue: { [1] }) var d: [Int] = []  // error: extra
    // A virtual field has a getter, unless it is optional, and no default.
    @Field.Virtual("e") var e: Int  // error: requires that 'Int' conform to 'FieldOptionalType'
    @Field.Virtual("f", customGetter: { _, _ in 1 }) var f: Int = 2  // error: A virtual field cannot have a default.
    // A relationship has no default, and references at most one object or many.
    @Field.Relationship("g") var g: Owl? = nil  // error: A relationship cannot have a default.
    @Field.Relationship("h", inverse: \.$g) var h: Set<Owl> = []  // error: A relationship cannot have a default.
    @Field.Relationship("i", minCount: 1) var i: [Owl] = []  // error: A relationship cannot have a default.
    @Field.Relationship("j") var j: Owl  // error: requires that 'Owl' conform to 'FieldRelationshipType'
    // No store has such values.
    @Field.Stored("k") var k: [Int] = []  // error: requires that '[Int]' conform to 'FieldStorableType'
    @Field.Stored("l") var l: UInt64 = 0  // error: requires that 'UInt64' conform to 'FieldStorableType'

    @Field.Virtual("label") var label: String?
    @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = []
}

// Fields belong to classes.
struct Nest {
    @FieldContainer<Dog>.Stored("eggs") var eggs: Int = 0  // error: Use this property wrapper only in a subclass
}

func wrong(owl: Owl) {
    let owls = From<Owl>()
    // Virtual fields have no operators, coded ones none but for nil.
    _ = owls.where { $0.$label == "x" }  // error: 'FieldContainer<Owl>.Virtual<String?>'
    _ = owls.where { $0.$list > [1] }  // error: cannot convert value of type 'FieldContainer<Owl>.Coded<[Int]>'
    // What is selected and what makes sections comes first in a chain, and only queries have groups.
    _ = owls.groupBy("age")  // error: value of type 'From<Owl>' has no member 'groupBy'
    _ = owls.orderBy(.ascending("age")).select(Int.self, "age")  // error: has no member 'select'
    _ = owls.orderBy(.ascending("age")).sectionBy("age")  // error: has no member 'sectionBy'
    // A partial object reads coded fields only past their accessors.
    _ = owl.partialObject().value(for: { $0.$list })  // error: 'FieldContainer<Owl>.Coded<[Int]>'
    owl.partialObject().setPrimitiveValue([1], for: { $0.$list })  // error: 'FieldContainer<Owl>.Coded<[Int]>'
}

func wrong(stack: DataStack) {
    // A list needs an order.
    _ = stack.async.snapshots(of: dogs)  // error: Write 'From<…>().orderBy(.ascending(\.$name))'.
    _ = stack.async.values(of: dogs) { $0.name }  // error: Write 'From<…>().orderBy(.ascending(\.$name))'.
}
