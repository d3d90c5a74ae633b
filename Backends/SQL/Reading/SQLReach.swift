/// The part of a table that a database reads to find the rows of a condition.
enum SQLReach: Comparable {
    /// A few rows, which an index finds by their values.
    case few
    /// A range of an index, which may be short or long.
    case range
    /// The whole table.
    case all
}
