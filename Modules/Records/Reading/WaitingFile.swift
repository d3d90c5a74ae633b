import CofferStorage
import Foundation

/// Opens and reads files that may have to wait for another program: pipes, sockets and terminals.
///
/// Neither call can be interrupted by the system's own means, so both look again whether they are cancelled.
enum WaitingFile {
    private static let interval = 0.05

    /// Opens a file for reading.
    ///
    /// The opening of a named pipe waits for a program that writes to it. A thread of its own waits, and outlives the call if
    /// that is cancelled.
    ///
    /// - Returns: the file, and whether reading may wait.
    /// - Throws: `CancellationError`; the error of the system.
    static func open(_ url: URL, _ isCancelled: () -> Bool) throws -> (handle: FileHandle, mayWait: Bool) {
        let type =
            try? FileManager.default.attributesOfItem(
                atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))[.type] as? FileAttributeType
        // An error of the attributes is also one of opening, which has the better text.
        guard let type, type != .typeRegular, type != .typeDirectory else {
            return (try FileHandle(forReadingFrom: url), false)
        }
        let opened = Locked<Result<FileHandle, any Error>?>(nil)
        let isOpen = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Result { try FileHandle(forReadingFrom: url) }
            opened.withLock { $0 = result }
            isOpen.signal()
        }
        while isOpen.wait(timeout: .now() + interval) == .timedOut {
            if isCancelled() { throw CancellationError() }
        }
        return (try opened.withLock { $0 }?.get() ?? FileHandle(forReadingFrom: url), true)
    }

    /// Waits until there is something to read, or until no program writes any more.
    ///
    /// - Returns: the bytes that are there, which may be fewer than the given count; none at the end.
    /// - Throws: `CancellationError`; the error of the system.
    static func read(_ handle: FileHandle, upToCount count: Int, _ isCancelled: () -> Bool) throws -> Data {
        var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        // An error, too, makes the file ready: reading gives it.
        while poll(&request, 1, Int32(interval * 1_000)) == 0 {
            if isCancelled() { throw CancellationError() }
        }
        var bytes = [UInt8](repeating: 0, count: count)
        // A file handle would go on reading until all of the bytes are there.
        while true {
            let length = readBytes(handle.fileDescriptor, &bytes, count)
            if length >= 0 { return Data(bytes.prefix(length)) }
            guard errno == EINTR else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        }
    }
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
