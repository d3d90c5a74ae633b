import CofferRecords

/// The error of an import that ends because of refused records.
struct RefusedRecords: Error {
    let records: [RefusedRecord]
    let count: Int
}
