import Foundation

/// A way to store and read the data of the benchmark: one library, used in one manner.
///
/// Every requirement does the work that a program would do with the library. Objects that a peer passes to a closure
/// need to live only until the closure returns. Objects that a peer returns stay alive.
protocol Peer: AnyObject, SendableMetatype {
    associatedtype Person: PersonReadable
    associatedtype Item: ItemReadable
    associatedtype Identifier

    static var name: String { get }

    /// Whether the data outlive the process, so that a database can be created once and copied.
    static var keepsFiles: Bool { get }

    /// Opens the database in an existing directory, and creates the tables if there are none.
    init(in directory: URL) throws

    /// Waits until the database is ready to be measured.
    ///
    /// A server may still work on the rows that the program has inserted.
    func settle() throws

    /// Creates one object for each sample, and inserts all objects in one transaction.
    func insert(_ people: [PersonSample]) throws -> [Person]
    func insert(_ items: [ItemSample]) throws -> [Item]
    func insert(_ families: [FamilySample]) throws

    /// Inserts one person in a separate transaction.
    func insertAlone(_ person: PersonSample) throws

    /// Fetches all people, as objects that the program keeps.
    func allPeople() throws -> [Person]

    /// Returns a list of all people by name, which is up to date after each change that is made through the list.
    func followPeople() throws -> any FollowedPeople

    /// Fetches everything and returns the sum of the objects' digests.
    func digestOfPeople() throws -> Int
    func digestOfItems() throws -> Int

    /// Fetches the first `limit` people older than `age`, by name, and returns the sum of their digests.
    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int

    /// The identifiers of all people, in the order of insertion.
    func identifiers() throws -> [Identifier]

    /// Fetches each person by identifier, in one transaction, and returns the sum of the digests.
    func digestOfPeople(_ identifiers: [Identifier]) throws -> Int

    /// Fetches each person by email, in one transaction, and returns the sum of the digests.
    func digestOfPeople(withEmails emails: [String]) throws -> Int

    /// Loads the people younger than `age`, adds points to the score of each person and saves it, in one transaction.
    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws

    /// Finds or inserts the person of each sample, in one transaction.
    ///
    /// If a person has the email of the sample, the peer changes the score. Otherwise the peer inserts a new person.
    func importPeople(_ samples: [PersonSample]) throws

    /// Writes each sample into the row with its email, or into a new row, in one transaction.
    ///
    /// The peer uses the means of the database to find the row.
    func upsertPeople(_ samples: [PersonSample]) throws

    /// Loads the people younger than `age` and deletes each person, in one transaction.
    func deletePeople(youngerThan age: Int) throws

    /// Queries the count, average score and highest score by age; returns the sum of `AgeGroup.digest`.
    func digestOfAgeGroups() throws -> Int

    /// Loads all parents with their children from the database, and returns a digest.
    ///
    /// The digest is the sum of the length of each parent's name, and of the length of the name and the value of each
    /// child.
    func digestOfFamilies() throws -> Int

    /// Returns the current number of people in the database, and the sum of their scores in eighths.
    func tally() throws -> Tally
}

extension Peer {
    func settle() throws {}
}

/// The number of people in a database, and the sum of their scores.
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
