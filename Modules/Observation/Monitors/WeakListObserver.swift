import CofferSchema

/// One observer of a list monitor, with a weak reference for each kind of changes that the observer receives.
///
/// The observer is held weakly. A kind of changes that the observer does not receive is nil.
struct WeakListObserver<O: DynamicObject> {
    weak var list: (any ListObserver<O>)?
    weak var objects: (any ListObjectObserver<O>)?
    weak var sections: (any ListSectionObserver<O>)?
}
