package import CofferStorage

/// The argument of ``CoreStoreObject/init(rawObject:)``: a row in a context.
///
/// A subclass only passes the argument to `super`, and must not keep it.
public struct RawObject {
    // The properties are not reference-counted, so that passing the value costs nothing. The first object takes over
    // the row. If a class creates another object from the same value, that object retains the row.
    let id: ObjectID
    let context: Unmanaged<ObjectContext>
    let batch: UInt32
    private let row: RowReference
    private let isTaken: UnsafeMutablePointer<Bool>

    /// Calls the closure with a raw object, from which the closure creates an object at once.
    ///
    /// - Parameters:
    ///   - row: the row, whose reference the first object takes over.
    ///   - batch: the number of the objects that were fetched together; 0 if the object was not fetched.
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

    /// Returns the row with a reference for the caller.
    func takeRow() -> RowReference {
        if isTaken.pointee { row.retain() }
        isTaken.pointee = true
        return row
    }
}
