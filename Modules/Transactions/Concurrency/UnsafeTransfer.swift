/// Carries a value that is not `Sendable` from one queue to another.
// Sendable: the sender does not use the value after the transfer, as CoreStore's API requires; one queue receives it.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
