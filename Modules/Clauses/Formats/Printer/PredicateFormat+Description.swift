/// Describes conditions and values as format strings that contain their arguments.
extension PredicateFormat {
    /// The condition as a format string that contains its arguments; parsing it returns an equal condition.
    ///
    /// A key with letters that format strings do not allow is written as `#"größe"`. Only this parser reads such a key.
    /// A constant without a literal is written as the cast of a literal.
    public var description: String {
        var printer = FormatPrinter()
        printer.append(self)
        return printer.text
    }
}

extension ExpressionFormat {
    /// The value as a format string; see ``PredicateFormat/description``.
    public var description: String {
        var printer = FormatPrinter()
        printer.append(self)
        return printer.text
    }
}

extension ExpressionFormat {
    /// The precedence of the outermost operator.
    var precedence: FormatParser.Precedence {
        if case .binary(let symbol, _, _) = self { symbol.precedence } else { .unary }
    }
}

extension ExpressionFormat.BinaryOperator {
    /// The precedence of the operator.
    var precedence: FormatParser.Precedence { FormatInfix.binary(self).precedence }
}
