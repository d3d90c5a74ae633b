// A substitute for Apple's Combine, with which scripts/check-faces type-checks sources on Linux. It has the few
// declarations that Coffer's SwiftUI product uses, with the signatures that Apple documents.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S) where Self.Failure == S.Failure, Self.Output == S.Input
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

public struct CombineIdentifier: Hashable, Sendable {
    public init() {}
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier() }
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Cancellable {
    func cancel()
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
    public struct Demand: Equatable, Comparable, Hashable, Sendable {
        private let count: Int
        public static let unlimited = Demand(count: .max)
        public static let none = Demand(count: 0)
        public static func max(_ value: Int) -> Demand { Demand(count: value) }
        public static func += (lhs: inout Demand, rhs: Demand) {
            lhs = lhs == .unlimited || rhs == .unlimited ? .unlimited : Demand(count: lhs.count + rhs.count)
        }
        public static func -= (lhs: inout Demand, rhs: Int) {
            if lhs != .unlimited { lhs = Demand(count: lhs.count - rhs) }
        }
        public static func > (lhs: Demand, rhs: Int) -> Bool { lhs.count > rhs }
        public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }
    }

    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    public init() {}
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {}
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}
