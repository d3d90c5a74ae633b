import CofferStorage
import Foundation

/// A file that is open for reading, and that may have to wait for another program: a pipe, a socket or a terminal.
///
/// The system's calls cannot be interrupted while they wait, so opening and reading look again and again whether they are
/// cancelled.
struct InputFile {
    private let handle: FileHandle
    /// Whether reading may wait for another program.
    private let mayWait: Bool
    private let isCancelled: @Sendable () -> Bool

    private static let interval = 0.05

    /// Opens a file.
    ///
    /// Opening a named pipe waits for a program that writes to it. A thread of its own waits, and outlives the call if that is
    /// cancelled.
    ///
    /// - Throws: `CancellationError`; the error of the system.
    init(_ url: URL, _ isCancelled: @escaping @Sendable () -> Bool) throws {
        let path = url.resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // If the attributes cannot be read, the file cannot be opened either, with a better error.
        let type = attributes?[.type] as? FileAttributeType ?? .typeRegular
        mayWait = type != .typeRegular && type != .typeDirectory
        self.isCancelled = isCancelled
        handle = mayWait ? try Self.waitToOpen(url, isCancelled) : try FileHandle(forReadingFrom: url)
    }

    private static func waitToOpen(_ url: URL, _ isCancelled: () -> Bool) throws -> FileHandle {
        let opened = Locked<Result<FileHandle, any Error>?>(nil)
        let isOpen = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Result { try FileHandle(forReadingFrom: url) }
            opened.withLock { $0 = result }
            isOpen.signal()
        }
        while true {
            if isCancelled() { throw CancellationError() }
            _ = isOpen.wait(timeout: .now() + interval)
            if let result = opened.withLock({ $0 }) { return try result.get() }
        }
    }

    /// Appends the next bytes to an array, once there are some.
    ///
    /// - Returns: the number of bytes, which may be less than the given count; 0 at the end of the file.
    /// - Throws: `CancellationError`; the error of the system.
    func append(upTo count: Int, to bytes: inout [UInt8]) throws -> Int {
        try waitForBytes()
        let end = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        var length = 0
        defer { bytes.removeLast(count - max(0, length)) }
        repeat {
            // A file handle would wait until all of the bytes are there.
            length = bytes.withUnsafeMutableBytes { bytes in
                read(handle.fileDescriptor, bytes.baseAddress.map { $0 + end }, count)
            }
        } while length < 0 && errno == EINTR
        guard length >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        return length
    }

    /// Waits until there is something to read, or no program writes any more.
    private func waitForBytes() throws {
        var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        repeat {
            if isCancelled() { throw CancellationError() }
            // An error, too, makes the file ready: reading throws it.
        } while mayWait && poll(&request, 1, Int32(Self.interval * 1_000)) == 0
    }
}
