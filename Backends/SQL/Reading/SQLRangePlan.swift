/// The plan for a request whose only indexed condition is a range: the index, the table, or a choice by the database.
///
/// A range may contain three rows or all rows. Without statistics of the values, a database cannot know the size of a
/// range. Because of the order by key, SQLite then reads the whole table for three rows, or sorts all rows to return
/// the first of them.
public enum SQLRangePlan: Sendable {
    /// The database decides.
    case database
    /// The rows are found by the index, and then sorted.
    case index
    /// The rows are read in the order of their keys, and tested.
    case table
}
