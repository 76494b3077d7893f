import Glibc

/// How many descriptors, and so connections, the process may have open.
package enum DescriptorLimit {
  /// Raises the limit as far as this user may, and returns what it is now.
  ///
  /// Systems start programs with a low limit for the sake of `select`, which is not used here.
  @discardableResult
  package static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    var wanted = limit
    wanted.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0
    return Int(clamping: isRaised ? wanted.rlim_cur : limit.rlim_cur)
  }
}
