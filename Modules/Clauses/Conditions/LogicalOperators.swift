/// Both conditions, or the only one there is: `young &&? named`.
infix operator &&? : LogicalConjunctionPrecedence
/// One of two conditions, or the only one there is: `young ||? named`.
///
/// It binds as tightly as `&&`, unlike `||`; use parentheses where both appear.
infix operator ||? : LogicalConjunctionPrecedence
/// Leads on from a relationship to a property of the related objects: `\.$master ~ \.$name`.
infix operator ~ : AdditionPrecedence
