/// All people by name, in a list that follows the database.
protocol FollowedPeople {
    /// The number of people.
    var count: Int { get }

    /// Adds to the score of one person in a transaction of its own, and waits until the list has the change.
    ///
    /// Returns the score of this person in the new list.
    mutating func addToScore(_ points: Double, at index: Int) throws -> Double
}
