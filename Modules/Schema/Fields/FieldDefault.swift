import CofferStorage
import Synchronization

/// The default of a stored field: the user's expression, evaluated the first time it is asked for and never again, so
/// that every schema and every object see the same value.
// Sendable: the expression is only called here, and the value is guarded by the mutex.
package final class FieldDefault: @unchecked Sendable {
    private let evaluate: () -> Value
    private let known = Mutex<Value?>(nil)

    init(_ evaluate: @escaping () -> Value) {
        self.evaluate = evaluate
    }

    var value: Value {
        if let value = known.withLock({ $0 }) { return value }
        // Evaluated outside the lock: it is user code.
        let value = evaluate()
        return known.withLock { known in
            if let earlier = known { return earlier }
            known = value
            return value
        }
    }
}
