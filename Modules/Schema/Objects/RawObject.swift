package import CofferStorage

/// The argument of ``CoreStoreObject/init(rawObject:)``: a row in a context.
///
/// A subclass only passes the argument to `super`, and must not keep it.
public struct RawObject {
    // Nothing here is counted, so that passing it on costs nothing. The first object takes over the row; if a class
    // should make another one of the same, that retains it.
    let id: ObjectID
    let context: Unmanaged<ObjectContext>
    let batch: UInt32
    private let row: RowReference
    private let isTaken: UnsafeMutablePointer<Bool>

    /// Calls the closure with a raw object, of which it makes an object at once.
    ///
    /// - Parameters:
    ///   - row: taken over.
    ///   - batch: the number of the objects that were fetched together, 0 when it was not fetched.
    @inline(__always)
    package static func with<Object: CoreStoreObject>(
        _ row: RowReference, _ id: ObjectID, in context: ObjectContext, batch: UInt32 = 0,
        _ body: (RawObject) -> Object
    ) -> Object {
        var isTaken = false
        return withUnsafeMutablePointer(to: &isTaken) {
            body(RawObject(id: id, context: .passUnretained(context), batch: batch, row: row, isTaken: $0))
        }
    }

    /// The row, retained for whoever asks.
    func takeRow() -> RowReference {
        if isTaken.pointee { row.retain() }
        isTaken.pointee = true
        return row
    }
}
