import Coffer
import Foundation

class Animal: CoreStoreObject {
    @Field.Stored("species") var species: String = ""
    @Field.Stored("isTame") var isTame: Bool = false
    @Field.Stored("isWild") var isWild: Bool?
}

final class Dog: Animal {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("nickname") var nickname: String?
    @Field.Stored("age") var age: Int = 0
    @Field.Stored("tricks") var tricks: Int = 0
    @Field.Stored("weight") var weight: Double = 0
    @Field.Stored("height") var height: Double?
    @Field.Stored("born") var born: Date?
    @Field.Relationship("master") var master: Person?
}

enum Role: String, FieldStorableType {
    case owner, guest
}

final class Person: CoreStoreObject {
    @Field.Stored("role") var role: Role = .owner
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("pets", inverse: \.$master) var pets: Set<Dog>
}

let dogs = From<Dog>()
let people = From<Person>()
let flag = true
let limit = 3
let maybe: String? = "Rex"
