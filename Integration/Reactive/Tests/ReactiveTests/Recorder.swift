import OpenCombineShim

/// Records the values of a publisher and its completion.
@MainActor
final class Recorder<Output, Failure: Error> {
    private(set) var values: [Output] = []
    private(set) var completion: Subscribers.Completion<Failure>?
    private var cancellable: AnyCancellable?
    private let (signals, signal) = AsyncStream<Void>.makeStream()

    init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        cancellable = publisher.sink(
            receiveCompletion: { [weak self] completion in
                MainActor.assumeIsolated { self?.complete(completion) }
            },
            receiveValue: { [weak self] value in
                nonisolated(unsafe) let value = value
                MainActor.assumeIsolated { self?.values.append(value) }
            })
    }

    private func complete(_ completion: Subscribers.Completion<Failure>) {
        self.completion = completion
        signal.finish()
    }

    /// Waits until the publisher completes; throws its failure.
    func finished() async throws -> [Output] {
        for await _ in signals {}
        if case .failure(let error)? = completion { throw error }
        return values
    }

    /// The error that a publisher fails with; nil if it succeeds.
    func failure() async -> Failure? {
        for await _ in signals {}
        guard case .failure(let error)? = completion else { return nil }
        return error
    }

    func cancel() { cancellable = nil }
}
