import CofferStorage
import Foundation

/// A network between workers and a server that can be cut: a port of this process that forwards bytes to the server.
final class Relay: Sendable {
    private struct State {
        var isSilent = false
        var isEnded = false
        var connections = 0
        var random: SeededGenerator
    }

    let port: Int
    private let serverPort: Int
    private let listener: Int32
    /// The number of bytes after which a connection is cut; nil if connections are not cut.
    private let limits: ClosedRange<Int>?
    private let state: Locked<State>

    /// - Parameter limits: the number of bytes in both directions together after which each connection is cut; nil
    ///   if connections are not cut.
    init(to serverPort: Int, cuttingAfter limits: ClosedRange<Int>?, seed: UInt64) throws {
        self.serverPort = serverPort
        self.limits = limits
        state = Locked(State(random: SeededGenerator(seed: seed)))
        let listener = Self.socket()
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = Self.with(&address) { bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0 }
        guard isBound, listen(listener, 100) == 0 else {
            close(listener)
            throw Failure("A relay cannot get a port: errno \(errno).")
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Forwards nothing for a while, and then the bytes that have arrived in the meantime.
    func fallSilent(microseconds: UInt32) {
        state.withLock { $0.isSilent = true }
        usleep(microseconds)
        state.withLock { $0.isSilent = false }
    }

    /// Cuts all connections, and returns when no connection remains.
    func end() {
        state.withLock { $0.isEnded = true }
        while state.withLock({ $0.connections > 0 }) { usleep(1_000) }
    }

    // MARK: Connections

    private func accept() {
        while true {
            let (isSilent, isEnded) = state.withLock { ($0.isSilent, $0.isEnded) }
            if isEnded { break }
            guard !isSilent, Self.wait([listener])[0], !state.withLock({ $0.isSilent }) else {
                usleep(1_000)
                continue
            }
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { continue }
            Self.limitWaiting(client)
            state.withLock { $0.connections += 1 }
            Thread.detachNewThread { [self] in
                serve(client)
                close(client)
                state.withLock { $0.connections -= 1 }
            }
        }
        close(listener)
    }

    private func serve(_ client: Int32) {
        let server = Self.socket()
        Self.limitWaiting(server)
        defer { close(server) }
        var address = Self.address(serverPort)
        let isConnected = Self.with(&address) { connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        guard isConnected else { return }
        var left = state.withLock { state in limits.map { Int.random(in: $0, using: &state.random) } } ?? .max
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while left > 0 {
            let (isSilent, isEnded) = state.withLock { ($0.isSilent, $0.isEnded) }
            if isEnded { return }
            if isSilent {
                usleep(1_000)
                continue
            }
            let isReady = Self.wait([client, server])
            if state.withLock({ $0.isSilent }) { continue }
            for (source, target, isReady) in [(client, server, isReady[0]), (server, client, isReady[1])] where isReady
            {
                let count = min(read(source, &bytes, bytes.count), left)
                guard count > 0, Self.send(bytes[..<count], to: target) else { return }
                left -= count
            }
        }
    }

    // MARK: Sockets

    private static func socket() -> Int32 { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    /// Limits the time for which sending to a stopped process can block.
    private static func limitWaiting(_ socket: Int32) {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    /// Returns for each socket whether it has bytes to read, after 20 milliseconds at most.
    private static func wait(_ sockets: [Int32]) -> [Bool] {
        var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), 20)
        return polled.map { $0.revents != 0 }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
