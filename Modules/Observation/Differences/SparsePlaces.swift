import CofferEvaluation

/// Converts places of a list to ranks, and ranks to places; a rank does not count skipped places.
struct SparsePlaces {
    /// The skipped places, in ascending order.
    let skipped: [Int]

    /// Returns the number of places before a place, without the skipped places.
    func rank(of place: Int) -> Int { place - Search.count(of: skipped) { $0 < place } }

    /// Returns the place with a rank among the places that are not skipped.
    func place(ofRank rank: Int) -> Int {
        rank + Search.count(of: skipped.indices) { skipped[$0] - $0 <= rank }
    }
}
