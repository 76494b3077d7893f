import Foundation
import Glibc

/// What the C library's allocator keeps at hand for each thread.
///
/// Of each size it keeps seven pieces that were freed; what is freed beyond goes to lists that all
/// sizes share, and is joined, searched for and split again. A turn of the loop frees what some
/// hundred actions needed, and the next asks for as much: with room for 400 an action takes an eighth
/// less. A thread may hold some megabytes more for it.
enum AllocatorCache {
  private static let variable = "GLIBC_TUNABLES"
  private static let tunable = "glibc.malloc.tcache_count"

  /// Starts the program anew with more room, since the C library is told at a process's start only.
  ///
  /// It returns where that was done, where somebody has set another number, and where it can't be:
  /// the program then goes on as it is.
  static func widen(_ environment: [String: String]) {
    let others = environment[variable].map { $0 + ":" } ?? ""
    guard !others.contains(tunable),
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return }
    setenv(variable, "\(others)\(tunable)=400", 1)
    execv(program, CommandLine.unsafeArgv)
  }
}
