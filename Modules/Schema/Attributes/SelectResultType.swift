/// The result of a query: a value, or dictionaries of values.
public protocol SelectResultType {}
