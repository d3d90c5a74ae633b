import Coffer
import TestSupport

/// The methods of importable classes that an import has called, in order.
final class Journal {
    private(set) var calls: [String] = []

    func note(_ call: String) { calls.append(call) }

    /// Returns the calls since the last use of this method.
    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}

/// The error that methods of importable classes throw.
struct Refusal: Error, Equatable {
    var method: String
}

/// The model of the import tests: members of a club, which are unique, and their notes, which are not.
enum Club {
    /// The methods of an importable class.
    enum Method: String, CaseIterable {
        case shouldInsert, shouldUpdate, uniqueID, didInsert, update
    }

    /// The source from which a member is imported.
    struct Source {
        var number: Int?
        var name = ""
        /// The method that returns false, and the method that throws.
        var refuses: Method?
        var fails: Method?
        var journal: Journal?
        /// A closure that `didInsert` and `update` call.
        var then: ((Member, BaseDataTransaction) throws -> Void)?

        func answer(_ method: Method) -> Bool {
            note(method)
            return refuses != method
        }

        func perform(_ method: Method, _ then: () throws -> Void = {}) throws {
            note(method)
            if fails == method { throw Refusal(method: method.rawValue) }
            try then()
        }

        private func note(_ method: Method) { journal?.note("\(method) \(number.map(String.init) ?? "-") \(name)") }
    }

    class Member: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("number") var number: Int = -1
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("mentor") var mentor: Member?
        @Field.Relationship("students", inverse: \.$mentor) var students: Set<Member>
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<Member>
        @Field.Relationship("friendOf") var friendOf: Set<Member>

        typealias ImportSource = Source

        class var uniqueIDKeyPath: String { "number" }

        class func uniqueID(from source: Source, in transaction: BaseDataTransaction) throws -> Int? {
            try source.perform(.uniqueID)
            return source.number
        }

        class func shouldInsert(from source: Source, in transaction: BaseDataTransaction) -> Bool {
            source.answer(.shouldInsert)
        }

        class func shouldUpdate(from source: Source, in transaction: BaseDataTransaction) -> Bool {
            source.answer(.shouldUpdate)
        }

        func didInsert(from source: Source, in transaction: BaseDataTransaction) throws {
            try source.perform(.didInsert) { try take(source, in: transaction) }
        }

        func update(from source: Source, in transaction: BaseDataTransaction) throws {
            try source.perform(.update) { try take(source, in: transaction) }
        }

        private func take(_ source: Source, in transaction: BaseDataTransaction) throws {
            name = source.name
            try source.then?(self, transaction)
        }
    }

    final class Guest: Member {
        @Field.Stored("host") var host: String = ""
    }

    final class Note: CoreStoreObject, ImportableObject {
        @Field.Stored("text") var text: String?
        @Field.Stored("count") var count: Int = 0

        static func shouldInsert(from source: [String: String], in transaction: BaseDataTransaction) -> Bool {
            source["skip"] == nil
        }

        func didInsert(from source: [String: String], in transaction: BaseDataTransaction) throws {
            if source["throw"] != nil { throw Refusal(method: "didInsert") }
            text = source["text"]
            count += 1
        }
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [
            Entity<Member>("Member", indexes: [[\.$number]]): ["A", "B"], Entity<Guest>("Guest"): ["A", "B"],
            Entity<Note>("Note"): ["A", "B"],
        ]
    )

    /// Returns a stack with Ann (1), Bob (2) and Cat (3).
    static func filled(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { fill($0) })
        return test
    }

    static func fill(_ transaction: BaseDataTransaction) {
        for (index, name) in ["Ann", "Bob", "Cat"].enumerated() {
            let member = transaction.create(Into<Member>())
            (member.number, member.name) = (index + 1, name)
        }
    }

    /// Returns the members in a source of objects, such as "1 Ann".
    static func members(_ source: any FetchableSource) throws -> [String] {
        try source.fetchAll(From<Member>().orderBy(.ascending(\.$number))).map { "\($0.number) \($0.name)" }
    }
}
