/// Where the bytes for one connection go.
package protocol Outlet: AnyObject {
  /// Whether ``write(_:)`` takes bytes now; ``Engine/flush(_:)`` is called when it does again.
  var isWritable: Bool { get }

  /// Takes runs of bytes, in order, as far as there is room now; never calls back.
  ///
  /// - Parameter runs: valid during the call only.
  /// - Returns: how many bytes were taken; fewer than given means no more for now.
  func write(_ runs: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Int
}
