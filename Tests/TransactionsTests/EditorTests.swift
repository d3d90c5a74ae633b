import Coffer
import Foundation
import TestSupport
import Testing

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Page>("Page"), Entity<Label>("Label"), Entity<Folder>("Folder")]
)

/// Random edits in an unsafe transaction, compared with plain values.
///
/// The transaction, the stack and later transactions must show the same content as the plain values.
@MainActor
struct EditorTests {
    @Test(.pins("TX-30", "TX-42", "TX-43", "TX-44", "FLD-42", "FLD-46"), arguments: TestBackend.allCases)
    func `random edits of objects have the same results as edits of plain values`(
        _ backend: TestBackend
    ) throws {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("EditorTests on \(backend): COFFER_SEED=\(seed)")
        // The first seed once found a defect: a member was deleted, and then its place was requested.
        for (seed, run) in [(3591, 7)] + (0..<30).map({ (seed, $0) }) {
            var editor = try Editor(backend, schema, seed: seed &+ UInt64(run) << 32)
            var done: [String] = []
            for step in 0..<60 {
                done.append(try editor.step())
                // A check loads the objects that it examines, and loaded objects hide defects. So not every step is
                // checked.
                guard step % (run % 5 + 1) == 0 else { continue }
                let isRight = try editor.check()
                #expect(isRight, "seed \(seed), run \(run): \(done.suffix(10))")
                guard isRight else { return }
            }
        }
    }
}

/// A user with a document, an undo button and an assistant.
@MainActor
private struct Editor {
    private let test: TestStack
    private let transaction: UnsafeDataTransaction
    private var random: SeededGenerator
    private var numbers = 0
    private var model = EditorModel()
    private var saved = EditorModel()
    private var past: [EditorModel] = []
    private var future: [EditorModel] = []
    private var isFlushed = true

    init(_ backend: TestBackend, _ schema: CoreStoreSchema, seed: UInt64) throws {
        test = try TestStack(backend, schema)
        transaction = test.stack.beginUnsafe(supportsUndo: true)
        random = SeededGenerator(seed: seed)
    }

    /// Makes a random step and returns its description.
    mutating func step() throws -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: return try edit()
        case 11..<13:
            flush()
            transaction.flush()
            return "flush"
        case 13..<15: return undo()
        case 15: return redo()
        case 16:
            transaction.refreshAndMergeAllObjects()
            return "refresh"
        case 17: return try editInChild()
        case 18:
            try transaction.commitAndWait()
            (saved, past, future, isFlushed) = (model, [], [], true)
            return "commit"
        default:
            guard Bool.random(using: &random) else { return try edit() }
            transaction.rollback()
            (model, past, future, isFlushed) = (saved, [], [], true)
            return "roll back"
        }
    }

    /// Whether the transaction shows the model, and the stack and a new reader show the saved content.
    mutating func check() throws -> Bool {
        let limit = Int.random(in: 0..<10, using: &random)
        let found = try transaction.fetchAll(
            From<Page>().where(\.$value >= limit).orderBy(.descending(\.$value), .ascending(\.$number))
                .tweak { ($0.fetchOffset, $0.fetchLimit) = (1, 4) }
        )
        let expected = model.pages.filter { $0.value.value >= limit }
            .sorted { ($1.value.value, $0.key) < ($0.value.value, $1.key) }.map(\.key).dropFirst().prefix(4)
        let underBig = try transaction.fetchAll(From<Page>().where((\.$parent ~ \.$value) > limit))
        let isUnderBig = model.pages.keys.filter { page in
            model.parent(of: page).flatMap { model.pages[$0]?.value }.map { $0 > limit } ?? false
        }
        let count = try transaction.fetchCount(
            From<Page>().where((\Page.$tags).count() >= 2 || (\Page.$children ~ \.$value).any() > limit)
        )
        let counted = model.pages.values.filter { page in
            page.tags.count >= 2 || page.children.contains { (model.pages[$0]?.value ?? 0) > limit }
        }
        return try found.map(\.number) == Array(expected) && Set(underBig.map(\.number)) == Set(isUnderBig)
            && count == counted.count && EditorDocument(transaction).model == model
            && EditorDocument(test.stack).model == saved
            && test.stack.read({ try EditorDocument($0).model }) == saved
    }

    private mutating func edit() throws -> String {
        let operation = operation()
        let before = model
        try EditorDocument.apply(operation, in: transaction)
        model.apply(operation)
        // Relating an object to an object that is already related is no change.
        if case .setValue = operation { isFlushed = false }
        if model != before { isFlushed = false }
        return "\(operation)"
    }

    private mutating func editInChild() throws -> String {
        let child = transaction.beginUnsafe()
        let before = model
        var done: [EditorModel.Operation] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let operation = operation()
            try EditorDocument.apply(operation, in: child)
            model.apply(operation)
            done.append(operation)
        }
        if Bool.random(using: &random), try EditorDocument(child).model != model {
            Issue.record("A child transaction does not show its own changes: \(done)")
        }
        guard Bool.random(using: &random) else {
            model = before
            return "discarded: \(done)"
        }
        try child.commitAndWait()
        // A child that changed nothing adds no undo step.
        if model != before { isFlushed = false }
        return "in the child: \(done)"
    }

    private mutating func flush() {
        guard !isFlushed else { return }
        isFlushed = true
        past.append(model)
        future = []
    }

    private mutating func undo() -> String {
        flush()
        transaction.undo()
        guard let present = past.popLast() else { return "undo nothing" }
        future.append(present)
        model = past.last ?? saved
        return "undo"
    }

    private mutating func redo() -> String {
        transaction.redo()
        guard isFlushed, let next = future.popLast() else { return "redo nothing" }
        past.append(next)
        model = next
        return "redo"
    }

    /// A random change of a small document, in which changes often concern the same objects.
    private mutating func operation() -> EditorModel.Operation {
        let (pages, tags, folders) = (model.pages.keys.sorted(), model.tags.sorted(), model.folders.sorted())
        guard let page = pages.randomElement(using: &random) else { return .addPage(number(), value: 5) }
        guard let tag = tags.randomElement(using: &random) else { return .addTag(number()) }
        guard let folder = folders.randomElement(using: &random) else { return .addFolder(number()) }
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<4 where pages.count < 8: return .addPage(number(), value: Int.random(in: 0..<10, using: &random))
        case 4 where tags.count < 4: return .addTag(number())
        case 5: return .addFolder(number())
        case 6, 7: return .setValue(page, Int.random(in: 0..<10, using: &random))
        case 8..<10: return .setParent(page, maybe(pages))
        case 10..<12: return .setChildren(page, some(pages))
        case 12, 13: return .setPartner(page, maybe(pages))
        case 14, 15: return .setFolder(page, maybe(folders))
        case 16: return .deletePage(page)
        case 17: return .deleteTag(tag)
        case 18: return .deleteFolder(folder)
        case 19..<21: return .setTagged(tag, Set(some(pages)))
        default: return .setTags(page, some(tags))
        }
    }

    private mutating func number() -> Int {
        numbers += 1
        return numbers
    }

    private mutating func maybe(_ numbers: [Int]) -> Int? {
        Int.random(in: 0..<4, using: &random) == 0 ? nil : numbers.randomElement(using: &random)
    }

    private mutating func some(_ numbers: [Int]) -> [Int] {
        Array(numbers.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
    }
}
