import CofferStorage
import Foundation

/// The coders that come with the library.
public enum FieldCoders {
    /// The result of the closure; an error is logged, and nil returned.
    static func reporting<Result>(_ doing: String, _ body: () throws -> Result?) -> Result? {
        do {
            return try body()
        } catch {
            let failure = StorageError(
                .invalidValue, "A value could not be \(doing).", cause: FieldCodingError.text(of: error))
            Diagnostics.log(CoreStoreError(storage: failure), "A coder failed.")
            return nil
        }
    }
}
