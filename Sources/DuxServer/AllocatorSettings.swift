import Foundation
import Glibc

/// What the C library's allocator is told at a process's start.
enum AllocatorSettings {
  private static let variable = "GLIBC_TUNABLES"

  private static let values = [
    // Of each size it keeps seven pieces at hand for each thread, and joins, searches and splits the
    // others. A turn of the loop frees what some hundred actions needed, and the next asks for as
    // much: with more room an action takes an eighth less, and some megabytes may be held for it.
    ("glibc.malloc.tcache_count", "1000"),
    // One heap for all threads, since only the process's own can have huge pages.
    ("glibc.malloc.arena_max", "1"),
    ("glibc.malloc.hugetlb", "1"),
  ]

  /// Starts the program anew with the settings, since the C library reads them at a start only.
  ///
  /// It returns where that was done, where somebody has set them all otherwise, and where it can't
  /// be: the program then goes on as it is.
  static func apply(_ environment: [String: String]) {
    let given = environment[variable] ?? ""
    let missing = values.filter { !given.contains($0.0) }.map { "\($0.0)=\($0.1)" }
    guard !missing.isEmpty,
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return }
    let others = given.isEmpty ? [] : [given]
    setenv(variable, (others + missing).joined(separator: ":"), 1)
    execv(program, CommandLine.unsafeArgv)
  }
}
