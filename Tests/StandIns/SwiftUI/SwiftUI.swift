// A substitute for Apple's SwiftUI, with which scripts/check-faces type-checks sources on Linux. It has the few
// declarations that Coffer's SwiftUI product and its examples use, with the signatures that Apple documents. State
// keeps its value. Views show nothing.

@_exported import Combine

// MARK: - Views

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
}

public struct EmptyView: View {
    public typealias Body = Never
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct TupleView<T>: View {
    public typealias Body = Never
    public nonisolated init(_ value: T) {}
    public var body: Never { fatalError() }
}

public struct _ConditionalContent<TrueContent, FalseContent>: View {
    public typealias Body = Never
    nonisolated init() {}
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

public struct Text: View {
    public typealias Body = Never
    public nonisolated init<S: StringProtocol>(_ content: S) {}
    public var body: Never { fatalError() }
}

public struct TextField<Label: View>: View {
    public typealias Body = Never
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) where Label == Text {}
    public var body: Never { fatalError() }
}

public struct Button<Label: View>: View {
    public typealias Body = Never
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void)
    where Label == Text {}
    public var body: Never { fatalError() }
}

public struct List<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    public nonisolated init(@ViewBuilder content: () -> Content) where SelectionValue == Never {}
    public var body: Never { fatalError() }
}

public struct HStack<Content: View>: View {
    public typealias Body = Never
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View {
    public typealias Body = Never
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct Section<Parent, Content, Footer> {}

extension Section: View where Parent: View, Content: View, Footer: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public nonisolated init(header: Parent, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
}

extension ForEach: View where Content: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.content = content
    }
}

extension ForEach where Content: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }
}

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

extension View {
    public nonisolated func animation(_ animation: Animation?) -> some View { self }
    public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        self
    }
}

// MARK: - State

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    private final class Place {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let place: Place
    public init(wrappedValue value: Value) { place = Place(value) }
    public init(initialValue value: Value) { place = Place(value) }
    public var wrappedValue: Value {
        get { place.value }
        nonmutating set { place.value = newValue }
    }
    public var projectedValue: Binding<Value> { Binding(get: { place.value }, set: { place.value = $0 }) }
}

private protocol KeepingState {
    func keep(_ other: Any)
}

extension State: KeepingState {
    fileprivate func keep(_ other: Any) { if let other = other as? State { wrappedValue = other.wrappedValue } }
}

/// Keeps the state of a view's property and updates the property, as SwiftUI does when a view is created again.
public func showAgain<Property: DynamicProperty>(_ property: Property, as former: Property) -> Property {
    for (new, old) in zip(Mirror(reflecting: property).children, Mirror(reflecting: former).children) {
        (new.value as? any KeepingState)?.keep(old.value)
    }
    var shown = property
    shown.update()
    return shown
}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let getter: () -> Value
    private let setter: (Value) -> Void
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (getter, setter) = (get, set) }
    public var wrappedValue: Value {
        get { getter() }
        nonmutating set { setter(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            get: { wrappedValue[keyPath: keyPath] }, set: { _ in })
    }
}

@MainActor @preconcurrency
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    @dynamicMemberLookup
    @MainActor @preconcurrency
    public struct Wrapper {
        let root: ObjectType
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let root = root
            return Binding(get: { root[keyPath: keyPath] }, set: { root[keyPath: keyPath] = $0 })
        }
    }

    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
    public var wrappedValue: ObjectType
    public var projectedValue: Wrapper { Wrapper(root: wrappedValue) }
}

// MARK: - Environment

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    public var wrappedValue: Value { EnvironmentValues()[keyPath: keyPath] }
}
