public import Foundation

/// Observes the progress of a migration with a closure.
extension Progress {
    /// Calls a closure each time the progress of a migration changes.
    ///
    /// ```swift
    /// let progress = stack.addStorage(SQLiteStore(fileName: "kennel.sqlite")) { _ in }
    /// progress?.setProgressHandler { print($0.fractionCompleted) }
    /// ```
    ///
    /// - Parameter closure: called on the view queue of the stack; nil ends the calls. If the progress does not come
    ///   from a data stack, the closure is never called.
    public func setProgressHandler(_ closure: ((_ progress: Progress) -> Void)?) {
        (self as? ObservedProgress)?.handler = closure
    }
}
