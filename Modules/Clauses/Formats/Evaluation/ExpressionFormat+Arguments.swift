/// Converts the value of a `$variable` to an expression; throws if format strings do not support its type.
extension ExpressionFormat {
    /// Creates an expression from an argument; throws if format strings do not support the type of the argument.
    init(_ argument: Any, named name: String) throws(FormatEvaluationError) {
        guard let expression = ExpressionFormat.argument(argument) else {
            throw FormatEvaluationError(
                "\(name) is a '\(type(of: argument))', which has neither a value nor keys.")
        }
        self = expression
    }
}
