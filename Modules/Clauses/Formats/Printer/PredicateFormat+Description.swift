extension PredicateFormat {
    /// The condition as a format string, with its arguments in place, which parses back to an equal one.
    ///
    /// Keys with other letters than format strings allow are written `#"größe"`, and constants that have no literal as
    /// the cast of one; only this parser reads the former.
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
    /// How tightly the outermost operator binds.
    var precedence: FormatParser.Precedence {
        if case .binary(let symbol, _, _) = self { symbol.precedence } else { .unary }
    }
}

extension ExpressionFormat.BinaryOperator {
    /// How tightly the operator binds.
    var precedence: FormatParser.Precedence { FormatInfix.binary(self).precedence }
}
