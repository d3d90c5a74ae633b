import Foundation

/// A way of storing and reading the benchmark's data: one library, used in one manner.
///
/// Every requirement is what a program would do with that library. Where a peer hands objects to a closure, they
/// need only live that long; where it returns them, they stay alive.
protocol Peer: AnyObject, SendableMetatype {
    associatedtype Person: PersonReadable
    associatedtype Item: ItemReadable
    associatedtype Identifier

    static var name: String { get }

    /// Whether the data outlive the process, so that they can be made once and copied.
    static var keepsFiles: Bool { get }

    /// Opens the database in an existing directory, and creates the tables if there are none.
    init(in directory: URL) throws

    /// Waits until the database is ready to be measured: a server may still work on what the program has filled in.
    func settle() throws

    /// Makes an object per sample and inserts them all in one transaction.
    func insert(_ people: [PersonSample]) throws -> [Person]
    func insert(_ items: [ItemSample]) throws -> [Item]
    func insert(_ families: [FamilySample]) throws

    /// Inserts one person in a transaction of its own.
    func insertAlone(_ person: PersonSample) throws

    /// Fetches all people, as objects that the program keeps.
    func allPeople() throws -> [Person]

    /// A list of all people by name, which is up to date after each change that is made through it.
    func followPeople() throws -> any FollowedPeople

    /// Fetches everything and returns the sum of the objects' digests.
    func digestOfPeople() throws -> Int
    func digestOfItems() throws -> Int

    /// Fetches the first `limit` people older than `age`, by name, and returns the sum of their digests.
    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int

    /// The identifiers of all people, in the order of insertion.
    func identifiers() throws -> [Identifier]

    /// Fetches each by its identifier, in one transaction, and returns the sum of the digests.
    func digestOfPeople(_ identifiers: [Identifier]) throws -> Int

    /// Fetches each by its email, in one transaction, and returns the sum of the digests.
    func digestOfPeople(withEmails emails: [String]) throws -> Int

    /// Loads the people younger than `age`, adds to the score of each and saves it, in one transaction.
    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws

    /// Finds the person with the email of each sample and changes the score, or inserts a new person, in one
    /// transaction.
    func importPeople(_ samples: [PersonSample]) throws

    /// Writes each sample into the row with its email, or into a new row, by the database's own means, in one
    /// transaction.
    func upsertPeople(_ samples: [PersonSample]) throws

    /// Loads the people younger than `age` and deletes each, in one transaction.
    func deletePeople(youngerThan age: Int) throws

    /// Count, average score and highest score by age, folded into one number by `AgeGroup.digest`.
    func digestOfAgeGroups() throws -> Int

    /// Loads all parents with their children from the database and sums up the length of each parent's name, and
    /// the length of the name and the value of each child.
    func digestOfFamilies() throws -> Int

    /// The number of people and the sum of their scores in eighths, as the database has them now.
    func tally() throws -> Tally
}

extension Peer {
    func settle() throws {}
}

/// What a database holds, in two numbers.
struct Tally {
    let count: Int
    let eighths: Int

    init(count: Int, score: Double) {
        self.count = count
        eighths = Int(score * 8)
    }

    var digest: Int { count &* 1_000_003 &+ eighths }
}

/// One row of the grouped query.
enum AgeGroup {
    @inline(__always)
    static func digest(age: Int, count: Int, average: Double, maximum: Double) -> Int {
        age &* count &+ Int(average * 1_000) &+ Int(maximum * 8)
    }
}
