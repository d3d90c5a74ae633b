/// Converts the value of a `$variable` to an expression; has the error for a type that format strings do not support.
extension ExpressionFormat {
    /// An argument that must have a value.
    init(_ argument: Any, named name: String) throws(FormatEvaluationError) {
        guard let expression = ExpressionFormat.argument(argument) else {
            throw FormatEvaluationError(
                "\(name) is a '\(type(of: argument))', which has neither a value nor keys.")
        }
        self = expression
    }
}
