import Coffer
import Foundation
import TestSupport
import Testing

/// Conditions with lists that are too long for one bound value per element, for each type of attribute.
@MainActor
struct LongListTests {
    private final class Sample: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
        @Field.Stored("text") var text: String = ""
        @Field.Stored("key") var key: String = ""
        @Field.Stored("double") var double: Double = 0
        @Field.Stored("date") var date: Date = .distantPast
        @Field.Stored("decimal") var decimal: Decimal = 0
        @Field.Stored("data") var data: Data = .init()
        @Field.Stored("uuid") var uuid: UUID = .init()
    }

    private static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Sample>("Sample", uniqueConstraints: [[\.$key]])])

    /// Strings with a special meaning in the formats in which stores send lists.
    private static let pieces = [
        "\"", "\\", "\\\\", ",", "{", "}", "[", "]", "NULL", "null", " ", "\n", "\t", "\u{0}", "\u{1}", "\u{1F}", "'",
        "é", "e\u{301}",
        "👩‍👩‍👧", "\\x41", "\u{FEFF}", "%", "\u{7F}",
    ]

    private static func text(_ number: Int) -> String {
        let (first, second) = (pieces[number % pieces.count], pieces[number / pieces.count % pieces.count])
        return number == 0 ? "" : "\(first)\(number)\(second)"
    }

    private static func uuid(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
    }

    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Self.schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<800 {
                let sample = transaction.create(Into<Sample>())
                sample.number = number
                (sample.text, sample.key) = (Self.text(number), Self.text(number))
                sample.double = Double(number) / 3
                sample.date = Date(timeIntervalSinceReferenceDate: Double(number) / 7)
                sample.decimal = Decimal(number) / 8
                sample.data = Data([UInt8(number >> 8), UInt8(number & 255), 0x22, 0x5C])
                sample.uuid = Self.uuid(number)
            }
        })
        return test
    }

    @Test(arguments: TestBackend.allCases)
    func `a condition with a long list of values finds the listed objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        // Every second sample, as many values without a sample, and some of both a second time.
        let numbers = Array(stride(from: 0, to: 1_600, by: 2)) + Array(stride(from: 0, to: 1_600, by: 10))
        let expected = Array(stride(from: 0, to: 800, by: 2))
        let lists: [(String, Where<Sample>)] = [
            ("number", Where(\.$number, isMemberOf: numbers)),
            ("text", Where(\.$text, isMemberOf: numbers.map(Self.text))),
            ("key", Where(\.$key, isMemberOf: numbers.map(Self.text))),
            ("double", Where(\.$double, isMemberOf: numbers.map { Double($0) / 3 })),
            ("date", Where(\.$date, isMemberOf: numbers.map { Date(timeIntervalSinceReferenceDate: Double($0) / 7) })),
            ("decimal", Where(\.$decimal, isMemberOf: numbers.map { Decimal($0) / 8 })),
            ("data", Where(\.$data, isMemberOf: numbers.map { Data([UInt8($0 >> 8), UInt8($0 & 255), 0x22, 0x5C]) })),
            ("uuid", Where(\.$uuid, isMemberOf: numbers.map(Self.uuid))),
        ]
        for (name, list) in lists {
            let found = try test.stack.fetchAll(From<Sample>(), list, OrderBy<Sample>(.ascending(\.$number))).map(
                \.number)
            #expect(found == expected, "\(name)")
            let unordered = try test.stack.fetchAll(From<Sample>(), list).map(\.number)
            #expect(unordered == expected, "\(name)")
            let others = try test.stack.fetchAll(From<Sample>(), !list, OrderBy<Sample>(.ascending(\.$number))).map(
                \.number)
            #expect(others == Array(stride(from: 1, to: 800, by: 2)), "not \(name)")
        }
    }
}
