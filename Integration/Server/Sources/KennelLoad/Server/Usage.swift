import Foundation
import Hummingbird

/// The processor time that a process has used so far.
struct Usage: ResponseCodable {
    /// The user and system time of all threads.
    let processorSeconds: Double

    /// The usage of this process.
    static var current: Usage {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Usage(processorSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}
