import Coffer
import Foundation

class PrintedLight: CoreStoreObject {
    @Field.Stored("is on") var is_on: Bool = true
    @Field.Stored("since") var since: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Field.Stored("code") var code: Data = Data(base64Encoded: "AQL/") ?? Data()
    @Field.Stored("price") var price: Decimal? = Decimal(string: "1")
    @Field.Stored("isDeleted") var isDeleted_: Int16?
}

final class PrintedRoom: CoreStoreObject {
    @Field.Stored("class") var `class`: String = "a \"quoted\"\nname"
    @Field.Stored("floor") var floor: Int32 = -3
    @Field.Relationship("lamps", minCount: 1, maxCount: 9, inverse: \.$room, deleteRule: .deny) var lamps: [PrintedLamp]
    @Field.Relationship("near") var near: Set<PrintedRoom>
    @Field.Relationship("nearby", inverse: \.$near) var nearby: Set<PrintedRoom>
}

final class PrintedLamp: PrintedLight {
    @Field.Stored("watts", versionHashModifier: "w2", previousVersionKeyPath: "power") var watts: Double = 60.5
    @Field.Stored("level") var level: Int = 2
    @Field.Coded("colours", coder: (encode: { $0 }, decode: { $0 ?? Data() }))
    var colours: Data = Data(base64Encoded: "W1sicmVkIl1d") ?? Data()
    @Field.Coded("extra", coder: (encode: { $0 }, decode: { $0 }))
    var extra: Data?
    @Field.Virtual("glow") var glow: Any?
    @Field.Relationship("room") var room: PrintedRoom?
    @Field.Relationship("next") var next: PrintedLamp?
    @Field.Relationship("previous", inverse: \.$next) var previous: PrintedLamp?
}

let schema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<PrintedLamp>("PrintedLamp"),
        Entity<PrintedLight>("PrintedLight", isAbstract: true, versionHashModifier: "l2"),
        Entity<PrintedRoom>("PrintedRoom", indexes: [[\.$class, \.$floor]], uniqueConstraints: [[\.$class]]),
    ],
    versionLock: [
        "PrintedLamp": [0xc19bad1085343216, 0x673458f547398092, 0x2e51cd75a3a21908, 0x52f224d2bcd77326],
        "PrintedLight": [0x4d4b68871c78a778, 0x90336b9597d77f31, 0x6c310b74a83bbcc5, 0x10f448c6af6ca4b0],
        "PrintedRoom": [0xb4272584a8e242e, 0xb3db314293e9f388, 0x8fef0220326e0b06, 0x7027a873ce07ec0b],
    ]
)
