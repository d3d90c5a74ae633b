import CofferStorage
public import Foundation

/// Counts the imported records in a `Progress`.
extension Progress {
    /// The number of records that an import has read; 0 if there is no import.
    ///
    /// Any thread may read it.
    public var importedRecordCount: Int { recordCounter?.withLock(\.self) ?? 0 }

    /// Adds a counter for the number of records, on the caller's thread.
    ///
    /// On Linux, `userInfo` must not be read and written at once. So the import writes to the counter, and not to
    /// `userInfo`.
    func addRecordCounter() {
        if recordCounter == nil { setUserInfoObject(Locked(0), forKey: .recordCounter) }
    }

    /// The number of records, which several threads use.
    var recordCounter: Locked<Int>? { userInfo[.recordCounter] as? Locked<Int> }
}

extension ProgressUserInfoKey {
    fileprivate static let recordCounter = ProgressUserInfoKey("CofferRecordCounter")
}
