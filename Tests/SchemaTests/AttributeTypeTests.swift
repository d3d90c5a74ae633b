import Coffer
import Foundation
import TestSupport
import Testing

/// The protocols of attribute types, and the native types behind them.
struct AttributeTypeTests {
    private enum Suit: String, ImportableAttributeType, FieldStorableType { case hearts }

    private func native<V: FieldStorableType & ImportableAttributeType & Equatable>(_ values: V...) {
        for value in values {
            #expect(V.cs_fromQueryableNativeType(value.cs_toQueryableNativeType()) == value)
            let stored = value.cs_toFieldStoredNativeType() as? V.FieldStoredNativeType
            #expect(stored.map(V.cs_fromFieldStoredNativeType) == value)
        }
    }

    @Test(.pins("FLD-50")) func `values of every type convert to their native type and back`() {
        native(true, false)
        native(Int.min, 0, Int.max)
        native(Int8.min, Int8.max)
        native(Int16.min, Int16.max)
        native(Int32.min, Int32.max)
        native(Int64.min, Int64.max)
        native(UInt8.max)
        native(UInt16.max)
        native(UInt32.max)
        native(Float.greatestFiniteMagnitude, -.leastNonzeroMagnitude)
        native(Double.greatestFiniteMagnitude, -.leastNonzeroMagnitude)
        native(CGFloat(0.1))
        native(Decimal(string: "0.1") ?? 0)
        native(Date(timeIntervalSinceReferenceDate: 0.123_456_789))
        native(Data([1, 2, 3]), Data())
        native("", "é")
        native(URL(filePath: "/tmp/a b"))
        native(UUID())
        native(NSNumber(value: 5))
        native(NSDecimalNumber(string: "1.5"))
        native(NSString(string: "x"))
        native(NSData(data: Data([1])))
        native(NSDate(timeIntervalSinceReferenceDate: 1))
        native(NSURL(fileURLWithPath: "/x"))
        native(NSUUID())
        native(Suit.hearts)
    }

    @Test(.pins("FLD-50")) func `an invalid native value converts to nil`() {
        #expect(UUID.cs_fromQueryableNativeType("no uuid") == nil)
        #expect(NSUUID.cs_fromQueryableNativeType("no uuid") == nil)
        #expect(Suit.cs_fromQueryableNativeType("diamonds") == nil)
        #expect(Int8.cs_fromQueryableNativeType(128) == nil)
        #expect(URL.cs_fromQueryableNativeType("") == nil)
    }

    @Test(.pins("FLD-50")) func `an optional converts to the native type of its value, or to nil`() {
        func stored<V: FieldStorableType>(_ value: V) -> Any? { value.cs_toFieldStoredNativeType() }
        #expect(stored(Int?.some(5)) as? NSNumber == 5)
        #expect(stored(Int?.none) == nil)
        #expect(Int?.cs_fromFieldStoredNativeType(NSNumber(value: 5)) == 5)
        #expect(Int?.cs_fromFieldStoredNativeType(nil) == nil)
        #expect(stored(Suit?.some(.hearts)) as? NSString == "hearts")
        #expect(Suit?.cs_fromFieldStoredNativeType(NSString(string: "hearts")) == Suit.hearts)
    }

    @Test(.pins("FLD-51", "FLD-53")) func `ids and null are queryable and selectable, but not importable`() throws {
        func isImportable(_ type: Any.Type) -> Bool { type is any ImportableAttributeType.Type }
        func isSelectable(_ type: Any.Type) -> Bool { type is any SelectResultType.Type }
        #expect(!isImportable(ObjectID.self) && isSelectable(ObjectID.self))
        #expect(!isImportable(NSNull.self) && isSelectable(NSNull.self))
        #expect(ObjectID.QueryableNativeType.self == ObjectID.self)
        #expect(NSNull.QueryableNativeType.self == NSNull.self)
        let null = NSNull()
        #expect(null.cs_toQueryableNativeType() === null)
        #expect(NSNull.cs_fromQueryableNativeType(null) === null)
        let uri = try #require(URL(string: "coffer://00000000-0000-4000-8000-000000000001/Person/42"))
        let id = try #require(ObjectID(uriRepresentation: uri))
        #expect(id.cs_toQueryableNativeType() == id)
        #expect(ObjectID.cs_fromQueryableNativeType(id) == id)
    }

    @Test(.pins("FLD-51")) func `attribute types are storable, importable and queryable`() {
        func levels<V: FieldStorableType & ImportableAttributeType>(_ type: V.Type) -> [AttributeType] {
            func queryable<Q: QueryableAttributeType>(_ type: Q.Type) -> AttributeType { Q.cs_rawAttributeType }
            func selectable<S: SelectResultType>(_ type: S.Type) -> Bool { true }
            #expect(selectable(type))
            return [V.cs_rawAttributeType, queryable(type)]
        }
        #expect(levels(Bool.self) == [.booleanAttributeType, .booleanAttributeType])
        #expect(levels(Suit.self) == [.stringAttributeType, .stringAttributeType])
        #expect(Int?.cs_rawAttributeType == .integer64AttributeType)
        func isStorable(_ type: Any.Type) -> Bool { type is any FieldStorableType.Type }
        #expect(!isStorable(ObjectID.self))
        #expect(!isStorable(NSNull.self))
        #expect(isStorable(String?.self))
        #expect(ObjectID.cs_rawAttributeType == .objectIDAttributeType)
        #expect(NSNull.cs_rawAttributeType == .undefinedAttributeType)
    }

    @Test(.pins("FLD-53")) func `types have the native types and attribute types of the table`() {
        func row<V: QueryableAttributeType>(_ type: V.Type) -> String {
            "\(V.self): \(V.QueryableNativeType.self), \(V.cs_rawAttributeType.rawValue)"
        }
        func rows(_ types: [any QueryableAttributeType.Type]) -> [String] { types.map { row($0) } }
        #expect(
            rows([
                Bool.self, Int8.self, Int16.self, Int32.self, Int.self, Int64.self, NSNumber.self, NSDecimalNumber.self,
            ])
                == [
                    "Bool: NSNumber, boolean", "Int8: NSNumber, integer16", "Int16: NSNumber, integer16",
                    "Int32: NSNumber, integer32", "Int: NSNumber, integer64", "Int64: NSNumber, integer64",
                    "NSNumber: NSNumber, integer64", "NSDecimalNumber: NSNumber, decimal",
                ]
        )
        #expect(
            rows([Float.self, Double.self, CGFloat.self, Date.self, NSDate.self, Data.self, NSData.self])
                == [
                    "Float: NSNumber, float", "Double: NSNumber, double", "CGFloat: NSNumber, double",
                    "Date: NSDate, date", "NSDate: NSDate, date", "Data: NSData, binary",
                    "NSData: NSData, binary",
                ]
        )
        #expect(
            rows([String.self, NSString.self, URL.self, NSURL.self, UUID.self, NSUUID.self])
                == [
                    "String: NSString, string", "NSString: NSString, string", "URL: NSString, string",
                    "NSURL: NSString, string", "UUID: NSString, string", "NSUUID: NSString, string",
                ]
        )
        let uuid = UUID()
        #expect(uuid.cs_toQueryableNativeType() == NSString(string: uuid.uuidString.lowercased()))
    }
}
