import CofferStorage
import Foundation

/// An input file, which may be a pipe; opening and reading it can be cancelled.
///
/// The system's calls cannot be interrupted while they wait for another program. Therefore, opening and reading a pipe
/// check regularly for cancellation.
struct InputFile {
    /// An error of the system.
    struct Failure: Error {
        let code: Int32

        var text: String { String(cString: strerror(code)) }
    }

    private let handle: FileHandle
    /// Whether reading may wait for another program.
    private let mayWait: Bool
    private let isCancelled: @Sendable () -> Bool

    private static let interval = 0.05

    /// Opens a file.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    init(_ url: URL, _ isCancelled: @escaping @Sendable () -> Bool) throws {
        guard url.isFileURL else { throw Failure(code: EPROTONOSUPPORT) }
        let descriptor = try Self.descriptor(of: url, isCancelled)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Failure(code: errno) }
        mayWait = facts.st_mode & S_IFMT != S_IFREG
        self.isCancelled = isCancelled
    }

    #if canImport(Darwin)
        /// Opens a file; a separate thread opens a pipe, and waits for a program that writes to the pipe.
        ///
        /// If the call is cancelled, the thread continues after the call. Without waiting, a pipe would look like an
        /// empty file.
        private static func descriptor(of url: URL, _ isCancelled: () -> Bool) throws -> Int32 {
            let path = url.path(percentEncoded: false)
            var facts = stat()
            guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else {
                return try openNow(path, O_RDONLY | O_CLOEXEC)
            }
            let opened = Locked<Result<Int32, any Error>?>(nil)
            Thread.detachNewThread {
                let result = Result { try Self.openNow(path, O_RDONLY | O_CLOEXEC) }
                opened.withLock { $0 = result }
            }
            while true {
                if let result = opened.withLock({ $0 }) { return try result.get() }
                if isCancelled() { throw CancellationError() }
                Thread.sleep(forTimeInterval: interval)
            }
        }
    #else
        /// Opens a file without waiting: on Linux, a reader can wait for the first writer of a pipe later.
        private static func descriptor(of url: URL, _ isCancelled: () -> Bool) throws -> Int32 {
            if isCancelled() { throw CancellationError() }
            return try openNow(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
    #endif

    private static func openNow(_ path: String, _ flags: Int32) throws -> Int32 {
        while true {
            let descriptor = open(path, flags)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
    }

    /// Closes the file.
    ///
    /// After this call, reading throws an error.
    func close() { try? handle.close() }

    /// Waits for bytes, and appends them to an array.
    ///
    /// - Returns: the number of bytes, which may be less than the given count; 0 at the end of the file.
    /// - Throws: ``Failure``; `CancellationError`.
    func append(upTo count: Int, to bytes: inout [UInt8]) throws -> Int {
        let end = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        var length = 0
        defer { bytes.removeLast(count - length) }
        while true {
            try waitForBytes()
            // A file handle would wait until all of the bytes are available.
            let result = bytes.withUnsafeMutableBytes { bytes in
                read(handle.fileDescriptor, bytes.baseAddress.map { $0 + end }, count)
            }
            if result >= 0 {
                length = result
                return length
            }
            guard errno == EINTR || errno == EAGAIN else { throw Failure(code: errno) }
        }
    }

    /// Waits until there are bytes to read, or no program writes any more.
    private func waitForBytes() throws {
        var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if isCancelled() { throw CancellationError() }
            guard mayWait else { return }
            let count = poll(&request, 1, Int32(Self.interval * 1_000))
            // Reading reports an error of the file.
            if count > 0 || count < 0 && errno != EINTR { return }
        }
    }
}
