/// The error of a record with a value that does not match its field.
package struct RecordFieldError: Error {
    package let key: String
    package let reason: String

    package init(key: String, reason: String) {
        self.key = key
        self.reason = reason
    }
}
