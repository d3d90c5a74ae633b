/// The change of a property, with the requested old and new values.
struct PropertyChange<V> {
    var isPrior = false
    var oldValue: V?
    var newValue: V?
}
