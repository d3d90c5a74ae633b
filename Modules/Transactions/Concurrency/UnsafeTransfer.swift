/// Carries a value that is not `Sendable` from one queue to another.
// Sendable: the giver does not use the value after handing it over, as CoreStore's API requires, and one queue receives it.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
