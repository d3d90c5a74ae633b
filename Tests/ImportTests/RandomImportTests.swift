import Coffer
import TestSupport
import Testing

/// Random imports, compared with a dictionary.
@MainActor
struct RandomImportTests {
    private typealias Member = Club.Member

    /// The expected members: their names by their numbers.
    private struct Oracle {
        var names: [Int: String] = [:]

        /// Imports sources according to the rules of unique imports.
        ///
        /// - Returns: the numbers of the imported members, and the method that throws.
        mutating func take(_ sources: [Club.Source]) -> (numbers: [Int], failure: Club.Method?) {
            if sources.contains(where: { $0.fails == .uniqueID }) { return ([], .uniqueID) }
            var order: [Int] = []
            var last: [Int: Club.Source] = [:]
            for source in sources {
                guard let number = source.number else { continue }
                if last.updateValue(source, forKey: number) == nil { order.append(number) }
            }
            var numbers: [Int] = []
            for number in order {
                guard let source = last[number] else { continue }
                let isNew = names[number] == nil
                if source.refuses == (isNew ? .shouldInsert : .shouldUpdate) { continue }
                if isNew { names[number] = "" }
                let method = isNew ? Club.Method.didInsert : .update
                if source.fails == method { return (numbers, method) }
                names[number] = source.name
                numbers.append(number)
            }
            return (numbers, nil)
        }

        var lines: [String] { names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } }
    }

    private func randomSources(_ count: Int, _ random: inout SeededGenerator) -> [Club.Source] {
        (0..<count).map { _ in
            var source = Club.Source(name: "n\(Int.random(in: 0..<1000, using: &random))")
            if Int.random(in: 0..<10, using: &random) > 0 { source.number = .random(in: 0..<150, using: &random) }
            switch Int.random(in: 0..<600, using: &random) {
            case 0..<60: source.refuses = .shouldInsert
            case 60..<120: source.refuses = .shouldUpdate
            case 120: source.fails = .didInsert
            case 121: source.fails = .update
            case 122: source.fails = .uniqueID
            default: break
            }
            return source
        }
    }

    /// Imports sources one by one or as a batch, makes other changes, and applies both to the oracle.
    private func importRandomly(
        _ transaction: BaseDataTransaction, _ oracle: inout Oracle, _ random: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            for source in randomSources(30, &random) {
                let expected = oracle.take([source])
                let number = try method { try transaction.importUniqueObject(Into<Member>(), source: source)?.number }
                #expect(number.value ?? nil == expected.numbers.first)
                #expect(number.failure == expected.failure?.rawValue)
            }
        case 1:
            // Some members receive the numbers of deleted members.
            for _ in 0..<10 {
                let members = try transaction.fetchAll(From<Member>())
                guard let (one, other) = members.randomPair(using: &random) else { return }
                let (number, name) = (other.number, one.name)
                oracle.names[one.number] = nil
                oracle.names[number] = name
                transaction.delete(other)
                one.number = number
            }
        default:
            let sources = randomSources(Int.random(in: 0..<120, using: &random), &random)
            let expected = oracle.take(sources)
            let numbers = try method {
                try transaction.importUniqueObjects(Into<Member>(), sourceArray: sources).map(\.number)
            }
            #expect(numbers.value ?? expected.numbers == expected.numbers)
            #expect(numbers.failure == expected.failure?.rawValue)
        }
    }

    /// Returns the result of the body, or the method of the class that threw.
    private func method<T>(_ body: () throws -> T) throws -> (value: T?, failure: String?) {
        do { return (try body(), nil) } catch let refusal as Refusal { return (nil, refusal.method) }
    }

    @Test(.pins("IMP-06"), arguments: TestBackend.allCases, [1, 2, 3, 4] as [UInt64])
    func `random imports have the same results as changes of a dictionary`(
        _ backend: TestBackend, _ seed: UInt64
    ) throws {
        let test = try TestStack(backend, Club.schema)
        var random = SeededGenerator(seed: seed)
        var saved = Oracle()
        for round in 1...8 {
            var pending = saved
            let isKept = Int.random(in: 0..<4, using: &random) > 0
            do {
                try test.stack.perform(synchronous: { transaction in
                    for _ in 1...4 {
                        try importRandomly(transaction, &pending, &random)
                        #expect(try Club.members(transaction) == pending.lines, "seed \(seed), round \(round)")
                    }
                    if !isKept { throw Refusal(method: "kept") }
                })
                saved = pending
            } catch {
                guard !isKept else { throw error }
            }
            #expect(try Club.members(test.stack) == saved.lines, "seed \(seed), round \(round)")
        }
    }
}

extension Array {
    /// Returns two different elements; nil if there are fewer than two.
    fileprivate func randomPair(using random: inout SeededGenerator) -> (Element, Element)? {
        guard count > 1 else { return nil }
        let first = Int.random(in: 0..<count, using: &random)
        let second = (first + Int.random(in: 1..<count, using: &random)) % count
        return (self[first], self[second])
    }
}
