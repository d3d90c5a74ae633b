import CofferStorage
public import Foundation

/// Counts the imported records in a `Progress`.
extension Progress {
    /// The number of records that an import has read; 0 if there is no import.
    ///
    /// Any thread may read it.
    public var importedRecordCount: Int { recordCounter?.count ?? 0 }

    /// Gives an import a place for its number of records, on the caller's thread.
    ///
    /// On Linux, `userInfo` must not be read and written at once. So the import writes to the counter, and not to `userInfo`.
    func addRecordCounter() {
        if recordCounter == nil { setUserInfoObject(RecordCounter(), forKey: .recordCounter) }
    }

    var recordCounter: RecordCounter? { userInfo[.recordCounter] as? RecordCounter }
}

/// A number of records that several threads use.
final class RecordCounter: Sendable {
    private let number = Locked(0)

    var count: Int {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }
}

extension ProgressUserInfoKey {
    fileprivate static let recordCounter = ProgressUserInfoKey("CofferRecordCounter")
}
