public import Foundation

extension Progress {
    /// Calls the closure on the main queue, or the stack's view queue, whenever the progress changes.
    ///
    /// - Parameter closure: nil ends the calls. Progress that does not come from a data stack never calls it.
    public func setProgressHandler(_ closure: ((_ progress: Progress) -> Void)?) {
        (self as? ObservedProgress)?.handler = closure
    }
}
