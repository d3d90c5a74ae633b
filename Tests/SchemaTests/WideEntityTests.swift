import Coffer
import Foundation
import TestSupport
import Testing

/// A class with more fields than a machine word has bits.
@MainActor
struct WideEntityTests {
    private class Wide: CoreStoreObject {
        @Field.Stored("f0") var f0: Int = 0
        @Field.Stored("f1") var f1: String = "1"
        @Field.Stored("f2") var f2: Int = 2
        @Field.Stored("f3") var f3: String = "3"
        @Field.Stored("f4") var f4: Int? = 4
        @Field.Stored("f5") var f5: String = "5"
        @Field.Stored("f6") var f6: Int = 6
        @Field.Stored("f7") var f7: String = "7"
        @Field.Stored("f8") var f8: Int = 8
        @Field.Stored("f9") var f9: String? = "9"
        @Field.Stored("f10") var f10: Int = 10
        @Field.Stored("f11") var f11: String = "11"
        @Field.Stored("f12") var f12: Int = 12
        @Field.Stored("f13") var f13: String = "13"
        @Field.Stored("f14") var f14: Int? = 14
        @Field.Stored("f15") var f15: String = "15"
        @Field.Stored("f16") var f16: Int = 16
        @Field.Stored("f17") var f17: String = "17"
        @Field.Stored("f18") var f18: Int = 18
        @Field.Stored("f19") var f19: String? = "19"
        @Field.Stored("f20") var f20: Int = 20
        @Field.Stored("f21") var f21: String = "21"
        @Field.Stored("f22") var f22: Int = 22
        @Field.Stored("f23") var f23: String = "23"
        @Field.Stored("f24") var f24: Int? = 24
        @Field.Stored("f25") var f25: String = "25"
        @Field.Stored("f26") var f26: Int = 26
        @Field.Stored("f27") var f27: String = "27"
        @Field.Stored("f28") var f28: Int = 28
        @Field.Stored("f29") var f29: String? = "29"
        @Field.Stored("f30") var f30: Int = 30
        @Field.Stored("f31") var f31: String = "31"
        @Field.Stored("f32") var f32: Int = 32
        @Field.Stored("f33") var f33: String = "33"
        @Field.Stored("f34") var f34: Int? = 34
        @Field.Stored("f35") var f35: String = "35"
        @Field.Stored("f36") var f36: Int = 36
        @Field.Stored("f37") var f37: String = "37"
        @Field.Stored("f38") var f38: Int = 38
        @Field.Stored("f39") var f39: String? = "39"
        @Field.Stored("f40") var f40: Int = 40
        @Field.Stored("f41") var f41: String = "41"
        @Field.Stored("f42") var f42: Int = 42
        @Field.Stored("f43") var f43: String = "43"
        @Field.Stored("f44") var f44: Int? = 44
        @Field.Stored("f45") var f45: String = "45"
        @Field.Stored("f46") var f46: Int = 46
        @Field.Stored("f47") var f47: String = "47"
        @Field.Stored("f48") var f48: Int = 48
        @Field.Stored("f49") var f49: String? = "49"
        @Field.Stored("f50") var f50: Int = 50
        @Field.Stored("f51") var f51: String = "51"
        @Field.Stored("f52") var f52: Int = 52
        @Field.Stored("f53") var f53: String = "53"
        @Field.Stored("f54") var f54: Int? = 54
        @Field.Stored("f55") var f55: String = "55"
        @Field.Stored("f56") var f56: Int = 56
        @Field.Stored("f57") var f57: String = "57"
        @Field.Stored("f58") var f58: Int = 58
        @Field.Stored("f59") var f59: String? = "59"
        @Field.Stored("f60") var f60: Int = 60
        @Field.Stored("f61") var f61: String = "61"
        @Field.Stored("f62") var f62: Int = 62
        @Field.Stored("f63") var f63: String = "63"
        @Field.Stored("f64") var f64: Int? = 64
        @Field.Stored("f65") var f65: String = "65"
        @Field.Stored("f66") var f66: Int = 66
        @Field.Stored("f67") var f67: String = "67"
        @Field.Stored("f68") var f68: Int = 68
        @Field.Stored("f69") var f69: String? = "69"
        @Field.Relationship("next", inverse: \.$previous) var next: Wide?
        @Field.Relationship("previous") var previous: [Wide]
    }

    private final class Wider: CoreStoreObject {
        @Field.Stored("f0") var f0: Int = 0
        @Field.Stored("f1") var f1: Int = 1
        @Field.Stored("f2") var f2: Int = 2
        @Field.Stored("f3") var f3: Int = 3
        @Field.Stored("f4") var f4: Int = 4
        @Field.Stored("f5") var f5: Int = 5
        @Field.Stored("f6") var f6: Int = 6
        @Field.Stored("f7") var f7: Int = 7
        @Field.Stored("f8") var f8: Int = 8
        @Field.Stored("f9") var f9: Int = 9
        @Field.Stored("f10") var f10: Int = 10
        @Field.Stored("f11") var f11: Int = 11
        @Field.Stored("f12") var f12: Int = 12
        @Field.Stored("f13") var f13: Int = 13
        @Field.Stored("f14") var f14: Int = 14
        @Field.Stored("f15") var f15: Int = 15
        @Field.Stored("f16") var f16: Int = 16
        @Field.Stored("f17") var f17: Int = 17
        @Field.Stored("f18") var f18: Int = 18
        @Field.Stored("f19") var f19: Int = 19
        @Field.Stored("f20") var f20: Int = 20
        @Field.Stored("f21") var f21: Int = 21
        @Field.Stored("f22") var f22: Int = 22
        @Field.Stored("f23") var f23: Int = 23
        @Field.Stored("f24") var f24: Int = 24
        @Field.Stored("f25") var f25: Int = 25
        @Field.Stored("f26") var f26: Int = 26
        @Field.Stored("f27") var f27: Int = 27
        @Field.Stored("f28") var f28: Int = 28
        @Field.Stored("f29") var f29: Int = 29
        @Field.Stored("f30") var f30: Int = 30
        @Field.Stored("f31") var f31: Int = 31
        @Field.Stored("f32") var f32: Int = 32
        @Field.Stored("f33") var f33: Int = 33
        @Field.Stored("f34") var f34: Int = 34
        @Field.Stored("f35") var f35: Int = 35
        @Field.Stored("f36") var f36: Int = 36
        @Field.Stored("f37") var f37: Int = 37
        @Field.Stored("f38") var f38: Int = 38
        @Field.Stored("f39") var f39: Int = 39
        @Field.Stored("f40") var f40: Int = 40
        @Field.Stored("f41") var f41: Int = 41
        @Field.Stored("f42") var f42: Int = 42
        @Field.Stored("f43") var f43: Int = 43
        @Field.Stored("f44") var f44: Int = 44
        @Field.Stored("f45") var f45: Int = 45
        @Field.Stored("f46") var f46: Int = 46
        @Field.Stored("f47") var f47: Int = 47
        @Field.Stored("f48") var f48: Int = 48
        @Field.Stored("f49") var f49: Int = 49
        @Field.Stored("f50") var f50: Int = 50
        @Field.Stored("f51") var f51: Int = 51
        @Field.Stored("f52") var f52: Int = 52
        @Field.Stored("f53") var f53: Int = 53
        @Field.Stored("f54") var f54: Int = 54
        @Field.Stored("f55") var f55: Int = 55
        @Field.Stored("f56") var f56: Int = 56
        @Field.Stored("f57") var f57: Int = 57
        @Field.Stored("f58") var f58: Int = 58
        @Field.Stored("f59") var f59: Int = 59
        @Field.Stored("f60") var f60: Int = 60
        @Field.Stored("f61") var f61: Int = 61
        @Field.Stored("f62") var f62: Int = 62
        @Field.Stored("f63") var f63: Int = 63
        @Field.Stored("f64") var f64: Int = 64
        @Field.Stored("f65") var f65: Int = 65
        @Field.Stored("f66", customSetter: { _, field, _ in field.primitiveValue = nil }) var f66: Int = 66
    }

    @Test(.pins("SCH-21"), arguments: TestBackend.allCases)
    func `a class may have more than 64 fields`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Wide>("Wide")]))
        try test.stack.perform(synchronous: { transaction in
            let (one, two) = (transaction.create(Into<Wide>()), transaction.create(Into<Wide>()))
            one.f1 = "one"
            two.f1 = "two"
            one.next = two
        })
        let one = try #require(try test.stack.fetchOne(From<Wide>().where(\.$f1 == "one")))
        #expect(one.f0 == 0 && one.f4 == 4 && one.f63 == "63" && one.f64 == 64 && one.f66 == 66 && one.f69 == "69")
        #expect(one.next?.previous == [one])
        try test.stack.perform(synchronous: { transaction in
            let one = try #require(transaction.edit(one))
            one.f64 = nil
            one.f67 = "changed"
            one.f69 = nil
            one.f68 = -68
            let two = one.next
            one.next = nil
            two?.next = one
            #expect(transaction.objectHasPersistentChangedValues(one))
        })
        #expect(one.f64 == nil && one.f67 == "changed" && one.f69 == nil && one.f68 == -68 && one.f66 == 66)
        #expect(one.next == nil)
        #expect(one.previous.map(\.f1) == ["two"])
        #expect(
            try test.stack.fetchCount(From<Wide>().where { $0.$f64 == nil && $0.$f68 == -68 && $0.$f66 == 66 }) == 1)
        #expect(try test.stack.fetchCount(From<Wide>().where(\.$next == one)) == 1)
    }

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `null in the 67th field is refused when saving`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Wider>("Wider")]))
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { $0.create(Into<Wider>()).f66 = 1 })
        }
        #expect(error?.storageError?.message.hasPrefix("'Wider.f66' has no value, but is not optional.") == true)
    }
}
