import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Foundation
import TestSupport
import Testing

struct ValueDescriptionTests {
    private func dump(_ value: some CoreStoreDebugStringConvertible & CustomDebugStringConvertible) -> String {
        #expect(value.debugDescription == "(\(type(of: value))) \(value.coreStoreDumpString)")
        return value.coreStoreDumpString
    }

    @Test(.pins("LOG-09")) func `clauses are described by their class and their contents`() {
        #expect(dump(From<Cage>()) == "(\n    .entityClass = Cage;\n    .configurations = nil;\n)")
        #expect("\(From<Cage>())" == "From<Cage>")
        #expect(dump(Into<Cage>("a")).contains("\n    .configuration = \"a\";\n"))
        #expect(dump(Where<Cage>("number", isEqualTo: 7)).contains(".predicate = number == 7;"))
        #expect(dump(OrderBy<Cage>(.ascending("number"))).contains("[number ascending]"))
        #expect(dump(GroupBy<Cage>("number")).contains(".keyPaths = [\"number\"];"))
        #expect(dump(SectionBy<Cage>("number")).contains(".sectionKeyPath = \"number\";"))
        #expect(dump(Select<Cage, Int>("number")).contains(".resultType = Int;"))
        #expect(dump(SelectTerm<Cage>.maximum("number")).contains(".function = \"max:\";"))
        #expect("\(SelectTerm<Cage>.maximum("number"))" == "max(number)")
        let tweak = Tweak { _ in Issue.record("A description called the closure.") }
        #expect(dump(tweak).contains(".closure = "))
    }

    @Test(.pins("LOG-09")) func `schemas, chains, locks and steps of migrations are described`() {
        let entity = Entity<Cage>("Cage", indexes: [[\.$number]])
        #expect(dump(entity).contains("\n    .indexes = [[\"number\"]];\n"))
        #expect("\(entity)" == "Entity<Cage>('Cage')")
        #expect(dump(Aviary.schema).contains("\n    .modelVersion = \"V1\";\n"))
        #expect(dump(Aviary.schema).contains("\n            .entityName = \"Bird\";\n"))
        #expect(dump(SchemaHistory(Aviary.schema)).contains("\n    .currentModelVersion = \"V1\";\n"))
        #expect(dump(MigrationChain(["V1", "V2"])).contains("\n    .steps = 'V1' → 'V2';\n"))
        #expect(dump(VersionLock(["Cage": [1, 2, 3, 4]])) == "[\n    \"Cage\": [0x1, 0x2, 0x3, 0x4]\n]")
        let step = MigrationType.heavyweight(sourceVersion: "V1", destinationVersion: "V2")
        #expect("\(step)" == "heavyweight 'V1' → 'V2'")
        #expect(dump(step).hasPrefix("(\n    .kind = heavyweight;\n    .sourceVersion = \"V1\";\n"))
        #expect(dump(LocalStorageOptions.recreateStoreOnModelMismatch) == "[recreateStoreOnModelMismatch]")
        #expect(dump(LocalStorageOptions.none) == "[]")
    }

    @Test(.pins("LOG-09")) func `stores are described without their passwords`() throws {
        #expect(dump(InMemoryStore(configuration: "a")).contains(".storeDescription = \"InMemoryStore 'a'\";"))
        let file = SQLiteStore(fileURL: URL(fileURLWithPath: "/tmp/birds.sqlite"))
        #expect(dump(file).contains("\n    .fileURL = \"file:///tmp/birds.sqlite\";\n"))
        let server = try PostgreSQLStore(url: "postgresql://ann:secret@localhost/birds")
        #expect(dump(server).contains("localhost"))
        #expect(!server.debugDescription.contains("secret"))
    }

    @Test(.pins("LOG-09")) func `URLs are described without user names, passwords and options`() {
        let url = URL(string: "postgresql://ann:secret@localhost/birds?password=secret")!
        #expect(url.coreStoreDumpString == "\"postgresql://localhost/birds\"")
        #expect(NSURL(string: "https://a.org/b?token=secret")!.coreStoreDumpString == "\"https://a.org/b\"")
        #expect([url].coreStoreDumpString == "[\"postgresql://localhost/birds\"]")
    }

    @Test(.pins("LOG-09")) func `errors are described by their code and the message of the store`() {
        let text = dump(CoreStoreError.userCancelled)
        #expect(text.contains("\n    .errorCode = 7;\n"))
        let error = CoreStoreError(StorageError(.busy, "The store is busy.", cause: "code 5"))
        #expect(dump(error).contains("Cause: code 5"))
        let cause = NSError(domain: "a", code: 3, userInfo: ["key": "secret"])
        let nested = dump(CoreStoreError(cause))
        #expect(nested.contains("\n        .code = 3;\n"))
        #expect(nested.contains("\"key\""))
    }

    @Test(.pins("LOG-09")) func `collections are described by 20 elements and the number of further elements`() {
        #expect([1, 2].coreStoreDumpString == "[1, 2]")
        #expect([Int]().coreStoreDumpString == "[]")
        let many = Array(1...25).coreStoreDumpString
        #expect(many.contains("20, … 5 more"))
        #expect(!many.contains("21"))
        #expect(["b": 2, "a": 1].coreStoreDumpString == "[\"a\": 1, \"b\": 2]")
        #expect([String: Int]().coreStoreDumpString == "[:]")
        #expect(Set([1]).coreStoreDumpString == "[1]")
    }

    @Test(.pins("LOG-09")) func `values of the standard library and Foundation are described`() {
        #expect(Int?.none.coreStoreDumpString == "nil")
        #expect(String?("a").coreStoreDumpString == "\"a\"")
        #expect(Result<Int, CoreStoreError>.success(3).coreStoreDumpString == "(\n    .success = 3;\n)")
        #expect(
            Result<Int, CoreStoreError>.failure(.unknown).coreStoreDumpString.hasPrefix(
                "(\n    .failure = (\n        .errorDomain"))
        #expect("a\"b".coreStoreDumpString == #""a\"b""#)
        #expect(NSString(string: "a").coreStoreDumpString == "\"a\"")
        #expect(Bundle.main.coreStoreDumpString.contains(".bundleURL = \"file://"))
        let error = NSError(domain: "a", code: 3)
        #expect(error.coreStoreDumpString.hasPrefix("(\n    .domain = \"a\";\n    .code = 3;\n"))
    }
}
