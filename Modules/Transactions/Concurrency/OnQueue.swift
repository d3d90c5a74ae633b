import Dispatch

/// A closure that is called later on one queue, with a value from another queue.
// Sendable: the closure is called on the queue only; values are handed over and not used by their giver again.
struct OnQueue<Value>: @unchecked Sendable {
    private let queue: DispatchQueue
    private let closure: (Value) -> Void

    init(_ queue: DispatchQueue, _ closure: @escaping (Value) -> Void) {
        self.queue = queue
        self.closure = closure
    }

    func call(_ value: Value) {
        let handover = UnsafeTransfer(value)
        queue.async { closure(handover.value) }
    }
}
