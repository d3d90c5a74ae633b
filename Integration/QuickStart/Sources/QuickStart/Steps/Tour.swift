import Coffer

/// A walk through the library on the loaded data.
///
/// Each step is an extension in a file of its own.
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

    /// The country with this code, in the view.
    func country(_ code: String) throws -> Country {
        guard let country = try stack.fetchOne(From<Country>().where { $0.$code == code }) else {
            throw QuickStartError("There is no country '\(code)'.")
        }
        return country
    }
}
