/// A list of all people by name, which is updated after changes of the database.
protocol FollowedPeople {
    /// The number of people.
    var count: Int { get }

    /// Adds points to one person's score in a separate transaction, and waits until the list contains the change.
    ///
    /// Returns the score of this person in the new list.
    mutating func addToScore(_ points: Double, at index: Int) throws -> Double
}
