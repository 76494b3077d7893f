import Glibc

/// The bytes of a file.
func contents(of path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return bytes }
    bytes += chunk[..<count]
  }
}

/// Replaces a file, or makes it.
func write(_ bytes: [UInt8], to path: String) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
  defer { close(descriptor) }
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
    }
    guard count > 0 else { throw SystemFailure("write \(path)") }
    done += count
  }
}

/// The names in a folder, in order.
func names(in folder: String) throws -> [String] {
  guard let stream = opendir(folder) else { throw SystemFailure("open \(folder)") }
  defer { closedir(stream) }
  var found: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { found.append(name) }
  }
  return found.sorted()
}

/// The permission bits of a path.
func mode(of path: String) throws -> UInt32 {
  var status = stat()
  guard stat(path, &status) == 0 else { throw SystemFailure("stat \(path)") }
  return status.st_mode & 0o7777
}

/// The folder of the programs that were built with these tests.
let programs: String = {
  var buffer = [CChar](repeating: 0, count: 4_096)
  let count = readlink("/proc/self/exe", &buffer, buffer.count)
  let path = buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }
  return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
}()

/// The root of the package, which holds `Protocol`.
let packageRoot = #filePath.components(before: "/Tests/")

extension String {
  fileprivate func components(before marker: String) -> String {
    guard let range = firstRange(of: marker) else { return self }
    return String(self[..<range.lowerBound])
  }
}
