/// The observation of one property, which lasts until it is invalidated or deallocated.
public protocol CoreStoreObjectKeyValueObservation: AnyObject {
    /// Ends the observation.
    func invalidate()
}
