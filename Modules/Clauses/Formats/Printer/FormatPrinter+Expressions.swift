import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Prints the values, functions and paths of a syntax tree as parts of a format string.
extension FormatPrinter {
    mutating func append(_ expression: ExpressionFormat) {
        switch expression {
        case .constant(let constant): append(constant.value)
        case .evaluatedObject: text += "SELF"
        case .variable(let name): text += "$" + name
        case .assignment(let name, let value):
            enclosed { printer in
                printer.text += "$\(name) := "
                printer.append(value)
            }
        case .path(let base, let keys): append(keys, of: base)
        case .index(let base, let index):
            appendBase(base)
            append(index)
        case .collection(let members):
            text += "{"
            appendList(members)
            text += "}"
        case .dictionary(let entries): append(entries)
        case .unary(let symbol, let operand): append(symbol, operand)
        case .binary(let symbol, let left, let right):
            append(left, enclosedIf: left.precedence < symbol.precedence)
            text += " \(symbol.rawValue) "
            append(right, enclosedIf: right.precedence <= symbol.precedence)
        case .function(let name, let arguments): append(name) { $0.appendList(arguments) }
        case .call(let receiver, let selector, let arguments): append(receiver, selector, arguments)
        case .subquery(let collection, let variable, let condition):
            append("SUBQUERY") { printer in
                printer.append(collection)
                printer.text += ", $\(variable), "
                printer.append(condition)
            }
        case .conditional(let condition, let first, let second):
            append("TERNARY") { printer in
                printer.append(condition)
                printer.text += ", "
                printer.appendList([first, second])
            }
        case .cast(let value, let type):
            append("CAST") { printer in
                printer.append(value, enclosedIf: FormatCast.constant(value, type) != nil)
                printer.text += ", "
                printer.appendQuoted(type)
            }
        case .fetch(let request, let context, let countOnly):
            append("FETCH") { $0.appendList([request, context, countOnly]) }
        }
    }

    /// Prints a word, and the content of the parentheses behind it.
    private mutating func append(_ word: String, _ body: (inout FormatPrinter) -> Void) {
        text += word
        enclosed(body)
    }

    private mutating func append(_ expression: ExpressionFormat, enclosedIf needed: Bool) {
        if needed { enclosed { $0.append(expression) } } else { append(expression) }
    }

    private mutating func appendList(_ expressions: [ExpressionFormat]) {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { text += ", " }
            append(expression)
        }
    }

    /// Prints a value that keys or an index follow.
    private mutating func appendBase(_ base: ExpressionFormat) {
        switch base {
        case .binary, .unary: enclosed { $0.append(base) }
        case .constant(let constant): append(base, enclosedIf: Number(constant.value) != nil)
        default: append(base)
        }
    }

    private mutating func append(_ keys: [String], of base: ExpressionFormat) {
        var needsDot = true
        switch base {
        case .evaluatedObject: needsDot = false
        case .path: enclosed { $0.append(base) }
        default: appendBase(base)
        }
        for key in keys {
            if needsDot { text += "." }
            needsDot = true
            appendKey(key)
        }
    }

    private mutating func append(_ index: ExpressionFormat.Index) {
        text += "["
        switch index {
        case .first: text += "FIRST"
        case .last: text += "LAST"
        case .size: text += "SIZE"
        case .at(let position): append(position)
        }
        text += "]"
    }

    private mutating func append(_ entries: [String: ExpressionFormat]) {
        text += "CAST({"
        for (index, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text += ", " }
            text += "{"
            appendQuoted(entry.key)
            text += ", "
            append(entry.value)
            text += "}"
        }
        text += "}, \"\(FormatCast.dictionary)\")"
    }

    private mutating func append(_ symbol: ExpressionFormat.UnaryOperator, _ operand: ExpressionFormat) {
        text += symbol.rawValue
        switch operand {
        case .binary: enclosed { $0.append(operand) }
        case .constant(let constant):
            // A sign before a bare number belongs to the number.
            append(operand, enclosedIf: symbol == .negate && Number(constant.value) != nil)
        default: append(operand)
        }
    }

    private mutating func append(
        _ receiver: ExpressionFormat, _ selector: String, _ arguments: [ExpressionFormat]
    ) {
        text += "FUNCTION("
        append(receiver)
        text += ", "
        appendQuoted(selector)
        for argument in arguments {
            text += " , "
            append(argument)
        }
        text += ")"
    }
}
