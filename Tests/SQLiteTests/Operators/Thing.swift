import Coffer
import Foundation

/// The class of the conditions of ``OperatorTable``.
final class Thing: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("whole") var whole: Int?
    @Field.Stored("real") var real: Double?
    @Field.Stored("exact") var exact: Decimal?
    @Field.Stored("flag") var flag: Bool?
    @Field.Stored("day") var day: Date?
    @Field.Stored("text") var text: String?
    @Field.Stored("data") var data: Data?
    @Field.Relationship("friend") var friend: Thing?
    @Field.Relationship("things", inverse: \.$friend) var things: Set<Thing>

    static let exact = Decimal(22) / 10
    static let (dawn, noon, dusk) = (
        Date(timeIntervalSinceReferenceDate: 0.25), Date(timeIntervalSinceReferenceDate: 0.25.nextUp),
        Date(timeIntervalSinceReferenceDate: 0.25.nextUp.nextUp)
    )
    static let bytes = Data([2])

    static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing>("Thing")])

    /// Creates `a`, `b` and `c` with rising values, each the friend of the next, and `nil` without values.
    static func fill(_ stack: DataStack) throws {
        try stack.perform(synchronous: { transaction in
            let names = ["a", "b", "c", "nil"]
            let things = names.map { name in
                let thing = transaction.create(Into<Thing>())
                thing.name = name
                return thing
            }
            let texts = ["Abel", "Bell", "côte"]
            let days = [dawn, noon, dusk]
            for (index, thing) in things.prefix(3).enumerated() {
                thing.whole = index + 1
                thing.real = Double(index) + 1.5
                thing.exact = Decimal(11 * (index + 1)) / 10
                thing.flag = index > 0
                thing.day = days[index]
                thing.text = texts[index]
                thing.data = Data([UInt8(index + 1)])
                thing.friend = index > 0 ? things[index - 1] : nil
            }
        })
    }
}

extension TextOptions {
    static let loose: TextOptions = [.caseInsensitive, .diacriticInsensitive]
}
