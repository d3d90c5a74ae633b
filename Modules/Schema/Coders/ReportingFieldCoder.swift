import CofferStorage
public import Foundation

/// A coder that can say why it fails, and logs it where it can only return nil.
public protocol _ReportingFieldCoder: FieldCoderType {}

extension _ReportingFieldCoder {
    /// The bytes of a value; nil when it cannot be encoded, which is logged.
    public static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data? {
        reporting("encoded") { try encoded(fieldValue) }
    }

    /// The value of stored bytes; nil when they are damaged, which is logged.
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
