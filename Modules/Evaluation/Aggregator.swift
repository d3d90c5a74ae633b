import CofferStorage

/// Computes an aggregate for each group of rows; throws an error if a sum cannot be represented exactly.
///
/// Sums of integers have 128 bits, so only a final sum beyond 64 bits is an error. In a condition on groups, such a sum
/// is the nearest double. Sums of doubles are exact, and rounded once; a sum that is not a number is null.
struct Aggregator {
    private enum Method {
        case countAll
        case count
        case sumIntegers(slot: Int)
        case sumDoubles(slot: Int)
        case extremeInteger(slot: Int, isMaximum: Bool)
        case extremeDouble(slot: Int, isMaximum: Bool)
        /// Values of any kind, processed one by one.
        case values
    }

    private struct Cell {
        var count = 0
        var integer = WideInteger(0)
        var extreme: Int64 = 0
        var double = 0.0
    }

    private let aggregate: ValueRequest.Aggregate
    private let expression: CompiledExpression
    private let method: Method
    private let name: String
    private var cells: [Cell] = []
    private var totals: [ValueTotal] = []
    private var sums: [ExactSum] = []

    init(_ aggregate: ValueRequest.Aggregate, _ expression: RowExpression, in layout: ModelLayout, entity: Int) {
        self.aggregate = aggregate
        self.expression = CompiledExpression(expression, in: layout)
        name = layout.name(of: expression, in: entity)
        method = Self.method(aggregate, expression, self.expression)
    }

    private static func method(
        _ aggregate: ValueRequest.Aggregate, _ source: RowExpression, _ expression: CompiledExpression
    ) -> Method {
        let kind = expression.kind ?? expression.constant?.kind ?? .integer
        switch aggregate {
        case .count:
            return source == .key ? .countAll : .count
        case .sum, .average:
            switch (kind, expression.slot) {
            case (.double, let slot?): return .sumDoubles(slot: slot)
            case (.integer, let slot?): return .sumIntegers(slot: slot)
            default: return .values
            }
        case .minimum, .maximum:
            let isMaximum = aggregate == .maximum
            switch (kind, expression.slot) {
            case (.integer, let slot?), (.reference, let slot?):
                return .extremeInteger(slot: slot, isMaximum: isMaximum)
            case (.double, let slot?), (.date, let slot?): return .extremeDouble(slot: slot, isMaximum: isMaximum)
            default: return .values
            }
        }
    }

    /// Adds a group.
    mutating func addGroup() {
        cells.append(Cell())
        switch method {
        case .values: totals.append(ValueTotal(aggregate, of: kind))
        case .sumDoubles: sums.append(ExactSum())
        default: break
        }
    }

    mutating func add(_ row: Row, to group: Int, _ source: any RowSource) {
        switch method {
        case .countAll:
            cells[group].count &+= 1
        case .count:
            if let slot = expression.slot {
                if row.holds(slot) { cells[group].count &+= 1 }
            } else if !expression.value(row, source).isNull {
                cells[group].count &+= 1
            }
        case .sumIntegers(let slot):
            guard row.holds(slot) else { return }
            cells[group].count &+= 1
            cells[group].integer &+= WideInteger(row.integer(slot))
        case .sumDoubles(let slot):
            guard row.holds(slot) else { return }
            cells[group].count &+= 1
            sums[group].add(row.double(slot))
        case .extremeInteger(let slot, let isMaximum):
            guard row.holds(slot) else { return }
            let number = row.integer(slot)
            if cells[group].count == 0 || (isMaximum ? number > cells[group].extreme : number < cells[group].extreme) {
                cells[group].extreme = number
            }
            cells[group].count &+= 1
        case .extremeDouble(let slot, let isMaximum):
            guard row.holds(slot) else { return }
            let number = row.double(slot)
            if cells[group].count == 0 || (isMaximum ? number > cells[group].double : number < cells[group].double) {
                cells[group].double = number
            }
            cells[group].count &+= 1
        case .values:
            totals[group].add(expression.value(row, source))
        }
    }

    /// The aggregate of a group.
    ///
    /// - Parameter isInCondition: whether the aggregate is a part of a condition, and not of a result.
    /// - Throws: `invalidValue` if a sum of a result cannot be exact in its kind.
    func result(_ group: Int, isInCondition: Bool = false) throws(StorageError) -> Value {
        let cell = cells[group]
        switch method {
        case .countAll, .count:
            return .integer(Int64(cell.count))
        case .sumIntegers:
            if aggregate == .average {
                return cell.count == 0 ? .null : .double(cell.integer.double / Double(cell.count))
            }
            if let sum = cell.integer.integer { return .integer(sum) }
            guard isInCondition else { throw overflow }
            return .double(cell.integer.double)
        case .sumDoubles:
            if aggregate == .average && cell.count == 0 { return .null }
            let sum = sums[group].value
            let result = aggregate == .average ? sum / Double(cell.count) : sum
            return result.isNaN ? .null : .double(result)
        case .extremeInteger:
            return cell.count == 0 ? .null : .integer(cell.extreme)
        case .extremeDouble:
            if cell.count == 0 { return .null }
            return expression.kind == .date ? .date(cell.double) : .double(cell.double)
        case .values:
            if let exact = totals[group].exact { return exact }
            guard isInCondition else { throw overflow }
            return totals[group].nearest
        }
    }

    private var kind: ColumnKind? { expression.kind ?? expression.constant?.kind }

    private var overflow: StorageError {
        StorageError(
            .invalidValue,
            "The sum of '\(name)' has too many digits for an exact result. "
                + "Sum fewer rows, or request the average."
        )
    }
}
