import CLibUV
import Glibc

/// An object that owns a libuv handle and can let go of it.
protocol HandleOwner: AnyObject {
  /// Closes the handle; harmless when already closed.
  func closeHandle()
}

/// Memory of libuv handles, and the tie between a handle and its Swift object.
///
/// libuv knows only a `void *` per handle. The rule here: while a handle is open, its `data` holds
/// one retain of its owner, taken in ``tie(_:to:)`` and given back in the close callback, which is
/// also where the handle's memory is freed. So an owner outlives every callback of its handle, and
/// neither leaks once the handle is closed.
enum Handle {
  /// Zeroed memory for a handle; freed by ``close(_:)``, or by ``discard(_:)`` before it is open.
  static func allocate<Body>(_: Body.Type) -> UnsafeMutablePointer<Body> {
    let pointer = UnsafeMutablePointer<Body>.allocate(capacity: 1)
    // libuv's structs are plain C data, for which all-zero bytes are a valid value.
    memset(pointer, 0, MemoryLayout<Body>.size)
    return pointer
  }

  /// Frees a handle that libuv refused to open.
  static func discard<Body>(_ pointer: UnsafeMutablePointer<Body>) {
    pointer.deallocate()
  }

  /// Makes `owner` the object that the handle's callbacks find, and keeps it alive until closed.
  static func tie<Body>(_ pointer: UnsafeMutablePointer<Body>, to owner: any HandleOwner) {
    base(pointer).pointee.data = Unmanaged.passRetained(owner as AnyObject).toOpaque()
  }

  /// Closes the handle; its memory and the retain of its owner go when libuv is done with it.
  static func close<Body>(_ pointer: UnsafeMutablePointer<Body>) {
    let handle = base(pointer)
    guard uv_is_closing(handle) == 0 else { return }
    uv_close(handle) { handle in
      guard let handle else { return }
      if let data = handle.pointee.data {
        // Gives back the retain of `tie`; no callback of this handle can follow.
        Unmanaged<AnyObject>.fromOpaque(data).release()
      }
      handle.deallocate()
    }
  }

  /// The owner of a handle, as set by ``tie(_:to:)``.
  ///
  /// - Precondition: `Owner` is the type that opened the handle. Each callback is installed by one
  ///   type only, on its own handles, and names that type here.
  static func owner<Owner: HandleOwner>(
    _: Owner.Type, of data: UnsafeMutableRawPointer?
  ) -> Owner? {
    guard let data else { return nil }
    return Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue()
  }

  /// The part that all handles begin with; libuv lays them out so that the cast is valid.
  static func base<Body>(_ pointer: UnsafeMutablePointer<Body>) -> UnsafeMutablePointer<uv_handle_t>
  {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
  }
}
