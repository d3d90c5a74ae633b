/// The error of a record that does not match its fields.
package struct RecordFieldError: Error {
    package let key: String
    package let reason: String

    package init(key: String, reason: String) {
        self.key = key
        self.reason = reason
    }
}
