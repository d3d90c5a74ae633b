import CofferEvaluation
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Comparisons by operator, kind and null; orders; aggregates.
struct ReferenceEvaluatorTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let type: AttributeType
        let low: Value
        let high: Value
        let foreign: Value

        var kind: ColumnKind { type.columnKind }
        var testDescription: String { "\(type)" }
    }

    static let samples: [Sample] = [
        Sample(type: .integer64AttributeType, low: .integer(-3), high: .integer(.max), foreign: .text("1")),
        Sample(type: .doubleAttributeType, low: .double(-0.5), high: .double(.infinity), foreign: .text("1")),
        Sample(
            type: .decimalAttributeType, low: .decimal(1), high: .decimal(Decimal(string: "1.01") ?? 2),
            foreign: .date(1)),
        Sample(type: .booleanAttributeType, low: .boolean(false), high: .boolean(true), foreign: .text("true")),
        Sample(type: .dateAttributeType, low: .date(-1), high: .date(1), foreign: .integer(-1)),
        Sample(type: .stringAttributeType, low: .text("Z"), high: .text("a"), foreign: .integer(0)),
        Sample(
            type: .stringAttributeType, low: .text("same prefix longer 1"), high: .text("same prefix longer 2"),
            foreign: .blob(Data("Z".utf8))),
        Sample(
            type: .binaryDataAttributeType, low: .blob(Data([1])), high: .blob(Data([1, 0])), foreign: .text("\u{1}")),
    ]

    private func source(_ types: [AttributeType], _ rows: [[Value]]) throws -> FewRows {
        let attributes = types.enumerated().map {
            AttributeDescription(name: "a\($0.offset)", type: $0.element, isOptional: true)
        }
        let layout = try ModelLayout(StoreModel(version: "1", entities: [.init(name: "E", attributes: attributes)]))
        let made = rows.enumerated().compactMap {
            Row.make(
                entity: 0, key: Int64($0.offset + 1), version: 1, values: $0.element, kinds: layout.entities[0].kinds
            )
        }
        try #require(made.count == rows.count)
        return FewRows(layout: layout, rows: made)
    }

    private func keys(_ predicate: RowPredicate, _ source: FewRows) -> [Int64] {
        let evaluator = ReferenceEvaluator(layout: source.layout)
        let request = RowRequest(entity: 0, predicate: predicate)
        let keys = evaluator.rows(request, in: source).map(\.key)
        let opposite = evaluator.rows(RowRequest(entity: 0, predicate: .not(predicate)), in: source).map(\.key)
        #expect(Set(keys).isDisjoint(with: opposite) && keys.count + opposite.count == source.rows.count)
        #expect(evaluator.count(request, in: source) == keys.count)
        return keys
    }

    @Test(arguments: samples)
    func `each comparison with a constant holds as documented`(sample: Sample) throws {
        // Rows 1 to 3: low, high, null.
        let source = try source([sample.type], [[sample.low], [sample.high], [.null]])
        let column = RowExpression.column(slot: 0, kind: sample.kind)
        let table: [(RowPredicate.Comparison, Value, [Int64])] = [
            (.equal, sample.low, [1]), (.equal, sample.high, [2]), (.equal, .null, [3]),
            (.notEqual, sample.low, [2, 3]), (.notEqual, .null, [1, 2]),
            (.less, sample.high, [1]), (.less, sample.low, []), (.less, .null, []),
            (.lessOrEqual, sample.high, [1, 2]), (.lessOrEqual, sample.low, [1]), (.lessOrEqual, .null, []),
            (.greater, sample.low, [2]), (.greater, sample.high, []), (.greater, .null, []),
            (.greaterOrEqual, sample.low, [1, 2]), (.greaterOrEqual, sample.high, [2]), (.greaterOrEqual, .null, []),
            (.equal, sample.foreign, []), (.notEqual, sample.foreign, [1, 2, 3]), (.less, sample.foreign, []),
            (.greaterOrEqual, sample.foreign, []),
        ]
        for (comparison, constant, expected) in table {
            #expect(
                keys(.compare(column, comparison, .value(constant)), source) == expected, "\(comparison) \(constant)")
            let mirrored: RowPredicate.Comparison =
                switch comparison {
                case .less: .greater
                case .lessOrEqual: .greaterOrEqual
                case .greater: .less
                case .greaterOrEqual: .lessOrEqual
                case .equal, .notEqual: comparison
                }
            #expect(keys(.compare(.value(constant), mirrored, column), source) == expected, "mirrored \(comparison)")
        }
        #expect(keys(.compare(column, .equal, column), source) == [1, 2, 3])
        #expect(keys(.compare(column, .lessOrEqual, column), source) == [1, 2])
        #expect(keys(.isIn(column, [sample.high, sample.foreign]), source) == [2])
        #expect(keys(.isIn(column, []), source) == [])
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a value is in a list if it equals one value of the list`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let decimals = [
            "0.5", "0.50", "1e22", "-7.25", "0.1", "0.1000000000000000055", "3", "9223372036854775808", "1e-90",
            "1152921504606847000", "1152921504606846976",
        ].compactMap { Decimal(string: $0) }
        let numbers: [Double] = [0.5, 1e22, -7.25, 0.1, 3, 9_223_372_036_854_775_808, 1e-90, 1e200, 0x1p60]
        let strange: [Double] = [.infinity, -0.0, 0x1p53 + 2, 0x1p60 + 0x1p8]
        var all: [Value] = decimals.map { .decimal($0) }
        all += (numbers + strange).map { .double($0) }
        all += [.integer(1 << 60), .integer(1_152_921_504_606_847_000), .integer(9_007_199_254_740_994)]
        all += [.integer(3), .integer(.min), .boolean(true), .integer(1), .null, .text("a"), .text(""), .text("é")]
        all += [.blob(Data()), .blob(Data("a".utf8)), .blob(Data([0])), .date(0.5), .date(3), .date(-.infinity)]
        all += [.object(ObjectID(storage: 1, key: 3)), .object(ObjectID(storage: 2, key: 3))]
        let columns: [AttributeType] = [
            .integer64AttributeType, .doubleAttributeType, .decimalAttributeType, .booleanAttributeType,
            .stringAttributeType, .binaryDataAttributeType, .dateAttributeType,
        ]
        for _ in 0..<200 {
            let list = (0..<random.below(8)).map { _ in all[random.below(all.count)] }
            for value in all {
                let expected = !value.isNull && list.contains { ValueOrdering.isEqual(value, $0) }
                let row = try source(columns, [columns.map { $0.columnKind == value.kind ? value : .null }])
                #expect(
                    keys(.isIn(.value(value), list), row).isEmpty == !expected, "\(value) in \(list)")
                for (slot, type) in columns.enumerated() where type.columnKind == value.kind {
                    let column = RowExpression.column(slot: slot, kind: type.columnKind)
                    #expect(keys(.isIn(column, list), row).isEmpty == !expected, "the column of \(value) in \(list)")
                }
            }
        }
    }

    @Test(arguments: samples)
    func `null comes first in ascending order and last in descending order`(sample: Sample) throws {
        let source = try source([sample.type], [[sample.high], [sample.low], [.null], [sample.low]])
        let evaluator = ReferenceEvaluator(layout: source.layout)
        let column = RowExpression.column(slot: 0, kind: sample.kind)
        for (ascending, expected) in [(true, [3, 2, 4, 1]), (false, [1, 2, 4, 3])] as [(Bool, [Int64])] {
            let order = [RowSort(column, ascending: ascending)]
            #expect(evaluator.rows(RowRequest(entity: 0, order: order), in: source).map(\.key) == expected)
            let page = RowRequest(entity: 0, order: order, offset: 1, limit: 2)
            #expect(evaluator.rows(page, in: source).map(\.key) == Array(expected[1...2]))
            let compiled = evaluator.order(order)
            #expect(source.rows.sorted { compiled.precedes($0, $1, in: source) }.map(\.key) == expected)
        }
    }

    @Test func `numbers of different kinds are compared by their exact value`() throws {
        let big: Int64 = 9_007_199_254_740_993
        let source = try source(
            [.integer64AttributeType, .doubleAttributeType], [[.integer(big), .double(9_007_199_254_740_992)]])
        let (integer, double) = (
            RowExpression.column(slot: 0, kind: .integer), RowExpression.column(slot: 1, kind: .double)
        )
        #expect(keys(.compare(integer, .greater, double), source) == [1])
        #expect(keys(.compare(integer, .equal, double), source) == [])
        #expect(keys(.compare(double, .equal, .value(.integer(big))), source) == [])
        #expect(keys(.compare(double, .equal, .value(.integer(big - 1))), source) == [1])
        #expect(keys(.isIn(integer, [.double(9_007_199_254_740_992)]), source) == [])
        #expect(keys(.isIn(double, [.integer(big - 1)]), source) == [1])
        #expect(keys(.compare(integer, .greater, .value(.double(0.5))), source) == [1])
        #expect(keys(.compare(integer, .less, .value(.double(.infinity))), source) == [1])
    }

    @Test func `aggregates over no values are 0 or null, never missing`() throws {
        let source = try source([.integer64AttributeType], [[.null]])
        let evaluator = ReferenceEvaluator(layout: source.layout)
        let column = RowExpression.column(slot: 0, kind: .integer)
        let terms = ValueRequest.Aggregate.allCases.map { ValueRequest.Term.aggregate($0, column) }
        let expected: [[Value]] = [[.integer(0), .integer(0), .null, .null, .null]]
        #expect(try evaluator.values(ValueRequest(rows: RowRequest(entity: 0), terms: terms), in: source) == expected)
        let none = RowRequest(entity: 0, predicate: .constant(false))
        #expect(try evaluator.values(ValueRequest(rows: none, terms: terms), in: source) == expected)
        let grouped = ValueRequest(rows: none, terms: terms, groups: [column])
        #expect(try evaluator.values(grouped, in: source) == [])
    }

    @Test func `sums are exact, and an integer sum beyond 64 bits is an error`() throws {
        let tenth = Decimal(string: "0.1") ?? 0
        let source = try source(
            [.integer64AttributeType, .decimalAttributeType, .doubleAttributeType],
            [
                [.integer(.max), .decimal(tenth), .double(0.1)], [.integer(.max), .decimal(tenth), .double(0.2)],
                [.integer(-.max), .decimal(tenth), .double(0.3)],
            ]
        )
        let evaluator = ReferenceEvaluator(layout: source.layout)
        let columns = source.layout.entities[0].kinds.enumerated().map {
            RowExpression.column(slot: $0.offset, kind: $0.element)
        }
        let sums = ValueRequest(rows: RowRequest(entity: 0), terms: columns.map { .aggregate(.sum, $0) })
        #expect(
            try evaluator.values(sums, in: source) == [[.integer(.max), .decimal(3 * tenth), .double(0.6)]])
        var two = sums
        two.rows.predicate = .compare(.key, .less, .value(.integer(3)))
        let error = #expect(throws: StorageError.self) { try evaluator.values(two, in: source) }
        #expect(error?.code == .invalidValue)
        two.terms = [.aggregate(.average, columns[0]), .aggregate(.average, columns[1])]
        #expect(try evaluator.values(two, in: source) == [[.double(Double(Int64.max)), .decimal(tenth)]])
    }

    @Test func `groups treat null as a value, apply the having condition and are ordered`() throws {
        let source = try source(
            [.stringAttributeType, .integer64AttributeType],
            [
                [.text("b"), .integer(1)], [.null, .integer(2)], [.text("a"), .integer(3)], [.null, .integer(4)],
                [.text("b"), .null],
            ]
        )
        let evaluator = ReferenceEvaluator(layout: source.layout)
        let (name, number) = (RowExpression.column(slot: 0, kind: .text), RowExpression.column(slot: 1, kind: .integer))
        var request = ValueRequest(
            rows: RowRequest(entity: 0),
            terms: [
                .expression(name), .aggregate(.count, .key), .aggregate(.count, number), .aggregate(.maximum, number),
            ],
            groups: [name]
        )
        let (null, a, b): ([Value], [Value], [Value]) = (
            [.null, .integer(2), .integer(2), .integer(4)], [.text("a"), .integer(1), .integer(1), .integer(3)],
            [.text("b"), .integer(2), .integer(1), .integer(1)]
        )
        #expect(try evaluator.values(request, in: source) == [null, a, b])
        request.rows.order = [RowSort(name, ascending: false)]
        #expect(try evaluator.values(request, in: source) == [b, a, null])
        request.having = .compare(.aggregate(.count, .key), .greater, .integer(1))
        request.rows.limit = 1
        #expect(try evaluator.values(request, in: source) == [b])
        let distinct = ValueRequest(rows: RowRequest(entity: 0), terms: [.expression(name)], isDistinct: true)
        #expect(try evaluator.values(distinct, in: source) == [[.null], [.text("a")], [.text("b")]])
        let wrong = ValueRequest(rows: RowRequest(entity: 0), terms: [.expression(number)], groups: [name])
        let error = #expect(throws: StorageError.self) { try evaluator.values(wrong, in: source) }
        #expect(error?.description == "invalidRequest: 'E.a1' is neither a group nor an aggregate.")
    }

    @Test func `a request that does not fit the layout is refused`() throws {
        let layout = try source([.stringAttributeType], []).layout
        let misfits = [
            RowRequest(entity: 1), RowRequest(entity: -1), RowRequest(entity: 0, offset: -1),
            RowRequest(entity: 0, limit: -1),
            RowRequest(entity: 0, predicate: .compare(.column(slot: 0, kind: .integer), .equal, .value(.null))),
            RowRequest(entity: 0, order: [RowSort(.column(slot: 4, kind: .text), ascending: true)]),
            RowRequest(entity: 0, predicate: .some(from: [], relationship: 0, .constant(true))),
            RowRequest(entity: 0, order: [RowSort(.count(relationship: 3), ascending: true)]),
        ]
        for misfit in misfits {
            let error = #expect(throws: StorageError.self) { try layout.check(misfit) }
            #expect(error?.code == .invalidRequest)
        }
    }
}
