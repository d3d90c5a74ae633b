/// One change of a property, with the values that were asked for.
struct PropertyChange<V> {
    var isPrior = false
    var oldValue: V?
    var newValue: V?
}
