import CofferStorage
import Foundation

/// The list of an `IN` condition, which finds an equal value without comparing each value.
struct Membership: Sendable {
    let numbers: NumberSet
    let texts: ByteStrings
    let blobs: ByteStrings
    /// The seconds of the dates in the list.
    let dates: Set<Double>
    private let objects: Set<ObjectID>

    /// - Parameter kind: the kind of the values that are searched for; nil for any kind.
    init(_ values: [Value], for kind: ColumnKind? = nil) {
        var numbers: [Number] = []
        var (texts, blobs) = (ByteStrings(), ByteStrings())
        var dates: Set<Double> = []
        var objects: Set<ObjectID> = []
        for value in values {
            switch value {
            case .null: break
            case .text(var text): text.withUTF8 { _ = texts.insert($0) }
            case .blob(let data): data.withUnsafeBytes { _ = blobs.insert($0.bindMemory(to: UInt8.self)) }
            case .date(let seconds): dates.insert(seconds)
            case .object(let id): objects.insert(id)
            case .boolean, .integer, .double, .decimal:
                if let number = Number(value) { numbers.append(number) }
            }
        }
        self.numbers = NumberSet(numbers, holdsDecimals: kind == nil || kind == .decimal)
        self.texts = texts
        self.blobs = blobs
        self.dates = dates
        self.objects = objects
    }

    func contains(_ value: Value) -> Bool {
        switch value {
        case .null: false
        case .text(var text): text.withUTF8 { texts.contains($0) }
        case .blob(let data): data.withUnsafeBytes { blobs.contains($0.bindMemory(to: UInt8.self)) }
        case .date(let seconds): dates.contains(seconds)
        case .object(let id): objects.contains(id)
        case .boolean, .integer, .double, .decimal: Number(value).map(numbers.contains) ?? false
        }
    }
}
