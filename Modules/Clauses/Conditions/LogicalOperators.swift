/// The operator `&&?`, which combines two conditions, one of which may be nil; this file also declares `||?` and `~`.
infix operator &&? : LogicalConjunctionPrecedence
/// Combines two conditions with "or"; if one of them is nil, the result is the other: `young ||? named`.
///
/// Unlike `||`, the operator has the precedence of `&&`. Use parentheses if both operators occur in an expression.
infix operator ||? : LogicalConjunctionPrecedence
/// Continues a path from a relationship to a property of the related objects: `\.$master ~ \.$name`.
infix operator ~ : AdditionPrecedence
