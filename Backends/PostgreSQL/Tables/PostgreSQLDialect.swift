import CofferEvaluation
import CofferSQL
import CofferStorage

/// The SQL of PostgreSQL for functions, aggregates, string tests and lists; nil where PostgreSQL has no equivalent.
///
/// The dialect expresses only what the server computes exactly as the reference evaluator does. If stored numbers
/// exceed the types of the server, the statement fails, and the evaluator answers. The evaluator also answers requests
/// that the dialect cannot express.
struct PostgreSQLDialect: SQLDialect {
    /// The rules for names; the taken columns exist in every table.
    static let naming = SQLNaming(
        limit: PostgreSQLIdentifier.sizeLimit,
        takenColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"])

    func quoted(_ identifier: String) -> String { PostgreSQLIdentifier.quoted(identifier) }

    func placeholder(_ index: Int) -> String { "$\(index + 1)" }

    var isSame: String { "IS NOT DISTINCT FROM" }
    var isNotSame: String { "IS DISTINCT FROM" }

    func nullOrder(ascending: Bool) -> String { ascending ? " NULLS FIRST" : " NULLS LAST" }

    func limitClause(offset: Int, limit: Int?, bind: (Value) -> String) -> String {
        let clause = limit.map { " LIMIT \(bind(.integer(Int64($0))))" } ?? ""
        return offset > 0 ? clause + " OFFSET \(bind(.integer(Int64(offset))))" : clause
    }

    var sharesPlaces: Bool { true }
    var sortsDistinctGroups: Bool { false }

    /// The maximum depth of nested queries.
    ///
    /// The planner makes two plans of each nested query that is not joined with the outer query, and of the queries
    /// inside of it. At a depth of sixty, it uses all available memory.
    var depthLimit: Int? { 5 }

    /// Inside of `OR`, the server uses an index for an array, but not for `IN` with a query.
    var isAmong: (before: String, after: String) { ("= ANY (ARRAY(", "))") }

    func mixedComparison(_ left: SQLOperand, _ operation: String, _ right: SQLOperand) -> String? {
        func plain(_ kind: ColumnKind?) -> ColumnKind? { kind == .reference ? .integer : kind }
        switch (plain(left.kind), plain(right.kind)) {
        case (nil, _), (_, nil): return nil
        case (.boolean, .boolean), (.double, .double), (.decimal, .decimal): return nil
        case (.double, .integer):
            let flipped = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]
            return mixedComparison(right, flipped[operation] ?? operation, left)
        case (.integer, .double): return exact(left.text, operation, right.text)
        case (.double, .decimal), (.decimal, .double): return nil
        default: break
        }
        func number(_ operand: SQLOperand) -> String {
            operand.kind == .boolean ? "\(operand.text)::integer" : operand.text
        }
        return "\(number(left)) \(operation) \(number(right))"
    }

    /// Returns an exact comparison of an integer with a double.
    ///
    /// The comparison converts neither the integer to a double nor the double to a decimal, because both would be
    /// rounded.
    private func exact(_ integer: String, _ operation: String, _ double: String) -> String {
        "(CASE WHEN \(integer) IS NULL OR \(double) IS NULL THEN NULL"
            + " WHEN \(double) >= 9223372036854775808::double precision THEN -1 \(operation) 0"
            + " WHEN \(double) < -9223372036854775808::double precision THEN 1 \(operation) 0"
            + " ELSE (\(integer), 0::double precision) \(operation)"
            + " (trunc(\(double))::bigint, \(double) - trunc(\(double))) END)"
    }

    // MARK: Aggregates

    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of operand: SQLOperand, isRelated: Bool
    ) -> String? {
        self.aggregate(aggregate, of: operand)
    }

    func aggregate(_ aggregate: ValueRequest.Aggregate, of operand: SQLOperand) -> String? {
        let kind = operand.kind ?? .integer
        let text = kind == .boolean && aggregate != .count ? "\(operand.text)::integer" : operand.text
        switch (aggregate, kind) {
        case (.count, _): return "COUNT(\(operand.text))"
        case (.sum, .decimal):
            // If there are few digits, no digit is lost. Otherwise the expression makes the server fail.
            return "(CASE WHEN COALESCE(MAX(abs(\(text))) * COUNT(\(text)) < 1e20 AND MAX(scale(\(text))) <= 15, TRUE)"
                + " THEN COALESCE(SUM(\(text)), 0) ELSE 1::numeric / (0 * COUNT(*)) END)"
        // A mean of decimals is rounded to the number of digits that a decimal has.
        case (.average, .decimal): return nil
        case (.sum, .double): return exactSum(text).map { "COALESCE(\($0), 0)" }
        case (.average, .double): return exactSum(text).map { "(\($0) / COUNT(\(text)))" }
        case (.sum, _): return "COALESCE(SUM(\(text)), 0)::bigint"
        case (.average, _): return "(SUM(\(text))::double precision / COUNT(\(text)))"
        case (.minimum, .blob), (.maximum, .blob): return nil
        case (.minimum, .boolean): return "bool_and(\(operand.text))"
        case (.maximum, .boolean): return "bool_or(\(operand.text))"
        case (.minimum, _): return "MIN(\(text))\(collation(of: kind))"
        case (.maximum, _): return "MAX(\(text))\(collation(of: kind))"
        }
    }

    /// Returns a sum of doubles that is rounded once, as in decision 9; null for no values.
    ///
    /// Each number is split at 2⁻²⁰. Adding and subtracting 1.5 × 2³² leaves the large part, and the small part is at
    /// most 2⁻²¹. If the magnitudes add up to less than 2³¹, the large parts add up without loss in any order. The
    /// small parts of n numbers also add up without loss if n × 2⁻²¹ is at most the least large part beside a small
    /// part. The reason is that each number has 53 digits. If n × 2⁻²¹ is more, the loss is less than n² × 2⁻⁷². The
    /// loss has no effect if the sum rounds to the same number after this amount is added and after it is subtracted.
    /// Otherwise the expression makes the server fail.
    private func exactSum(_ text: String) -> String? {
        guard text.utf8.count <= 256 else { return nil }
        let large = "((\(text) + 6442450944::double precision) - 6442450944::double precision)"
        let (sum, rest) = ("SUM(\(large))", "SUM(\(text) - \(large))")
        let count = "COUNT(\(text))::double precision"
        let isExact = "COALESCE(\(count) / 2097152 <= MIN(abs(NULLIF(\(large), \(text)))), TRUE)"
        let loss = "\(count) * \(count) / 4722366482869645213696::double precision"
        return "(CASE WHEN COALESCE(SUM(abs(\(text))) < 2147483648 AND (\(isExact)"
            + " OR \(sum) + (\(rest) - \(loss)) = \(sum) + (\(rest) + \(loss))), TRUE)"
            + " THEN \(sum) + \(rest) ELSE 1::double precision / (0 * COUNT(*)) END)"
    }

    // MARK: Computing

    func computation(_ function: ValueFunction, of operands: [SQLOperand]) -> String? {
        let kinds = operands.compactMap(\.kind)
        guard !function.isForText, kinds.count == operands.count, let first = operands.first else { return nil }
        let kind = function.kind(of: kinds)
        let texts = operands.map { $0.kind == .boolean ? "\($0.text)::integer::bigint" : $0.text }
        if operands.count == 1 { return computation(function, of: texts[0], first.kind ?? .integer, kind) }
        let (left, right) = (texts[0], texts[1])
        switch (function, kind) {
        case (.add, .integer): return "(\(left) + \(right))"
        case (.subtract, .integer): return "(\(left) - \(right))"
        case (.multiply, .integer): return "(\(left) * \(right))"
        case (.divide, .integer): return "(\(left) / NULLIF(\(right), 0))"
        case (.modulus, .integer): return "(\(left) % NULLIF(\(right), 0))"
        case (.bitwiseAnd, .integer): return "(\(left) & \(right))"
        case (.bitwiseOr, .integer): return "(\(left) | \(right))"
        case (.bitwiseXor, .integer): return "(\(left) # \(right))"
        case (.add, .double): return double(left, "+", right, kinds)
        case (.subtract, .double): return double(left, "-", right, kinds)
        case (.multiply, .double): return double(left, "*", right, kinds)
        case (.divide, .double): return double(left, "/", "NULLIF(\(right)::double precision, 0)", kinds)
        default: return nil
        }
    }

    private func computation(
        _ function: ValueFunction, of text: String, _ kind: ColumnKind, _ result: ColumnKind
    ) -> String? {
        switch (function, kind) {
        case (.negate, _): "(- \(text))"
        case (.absolute, _): "abs(\(text))"
        case (.floor, .double), (.floor, .decimal): "floor(\(text))"
        case (.ceiling, .double), (.ceiling, .decimal): "ceil(\(text))"
        case (.truncate, .double), (.truncate, .decimal): "trunc(\(text))"
        case (.floor, _), (.ceiling, _), (.truncate, _): "(\(text))"
        case (.complement, .integer), (.complement, .boolean), (.complement, .reference): "(~ \(text))"
        case (.squareRoot, .double), (.squareRoot, .integer), (.squareRoot, .boolean):
            "sqrt(\(text)::double precision)"
        default: nil
        }
    }

    /// Returns an operation on doubles; nil if an operand is a decimal.
    ///
    /// The server converts decimals to doubles in another way than the reference evaluator.
    private func double(_ left: String, _ symbol: String, _ right: String, _ kinds: [ColumnKind]) -> String? {
        kinds.contains(.decimal)
            ? nil
            : "NULLIF(\(left)::double precision \(symbol) \(right)::double precision, 'NaN'::double precision)"
    }

    // MARK: Strings

    /// Returns a string test; nil if only the reference evaluator can carry it out.
    ///
    /// The evaluator folds characters by the Unicode version of Swift, and its patterns are not patterns of the
    /// server.
    func textTest(_ left: String, _ relation: TextRelation, _ right: String, _ options: TextOptions) -> String? {
        guard !TextFolding.applies(options) else { return nil }
        let (left, right) = (left + collation(of: .text), right + collation(of: .text))
        return switch relation {
        case .equal: "(\(left) = \(right))"
        case .notEqual: "(\(left) <> \(right))"
        case .less: "(\(left) < \(right))"
        case .lessOrEqual: "(\(left) <= \(right))"
        case .greater: "(\(left) > \(right))"
        case .greaterOrEqual: "(\(left) >= \(right))"
        case .contains: "(strpos(\(left), \(right)) > 0 AND \(right) <> '')"
        case .beginsWith: "((\(left)) ^@ (\(right)) AND \(right) <> '')"
        case .endsWith: "(right(\(left), length(\(right))) = \(right) AND \(right) <> '')"
        case .like, .matches: nil
        }
    }

    func collation(of kind: ColumnKind) -> String { kind == .text ? " COLLATE \"C\"" : "" }

    /// Most tables have their rows in the order of the keys, and the server would sort them nevertheless.
    var leavesOrderOfKeys: Bool { true }

    // MARK: Lists

    func isOneOf(_ count: Int) -> String { "= ANY($1)" }

    var listLimit: Int { 64 }

    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)? {
        guard let array = PostgreSQLArrayText.array(of: values) else { return nil }
        return ("SELECT unnest(", .text(array), "::\(Self.itemType(kind))[])\(collation(of: kind))")
    }

    func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)? {
        guard let array = PostgreSQLArrayText.array(of: values) else { return nil }
        let after = "::\(Self.itemType(kind))[]) AS \(alias)(value)"
        return ("unnest(", .text(array), after, "\(alias).value\(collation(of: kind))")
    }

    private static func itemType(_ kind: ColumnKind) -> String { kind == .text ? "text" : kind.typeName }
}
