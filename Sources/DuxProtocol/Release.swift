/// The release of daemon, client and tools, which come from one source.
package enum Release {
  /// Major, minor and patch, as in `duxd/0.1.0`.
  package static let version = "0.1.0"
}
