import Coffer

/// A tour of the library with the loaded data.
///
/// The steps are methods of extensions in other files.
struct Tour {
    let stack: DataStack
    let report: Report

    func run() throws {
        try fetch()
        try filterThroughRelationships()
        try followRelationships()
        try aggregate()
        try edit()
        try refuse()
        try deleteWithCascade()
    }

    /// Returns the live object of the country with this code.
    func country(_ code: String) throws -> Country {
        guard let country = try stack.fetchOne(From<Country>().where { $0.$code == code }) else {
            throw QuickStartError("There is no country '\(code)'.")
        }
        return country
    }
}
