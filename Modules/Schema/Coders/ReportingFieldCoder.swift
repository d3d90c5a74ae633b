import CofferStorage
public import Foundation

/// A coder that can throw the reason of a failure; its methods that cannot throw return nil and log the reason.
public protocol _ReportingFieldCoder: FieldCoderType {}

extension _ReportingFieldCoder {
    /// Returns the bytes of a value; if it cannot be encoded, returns nil and logs the error.
    public static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data? {
        reporting("encoded") { try encoded(fieldValue) }
    }

    /// Returns the value of stored bytes; if they are damaged, returns nil and logs the error.
    public static func decodeFromStoredData(_ data: Data?) -> FieldStoredValue? {
        reporting("decoded") { try decoded(data) }
    }

    private static func reporting<Result>(_ doing: String, _ body: () throws -> Result?) -> Result? {
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
