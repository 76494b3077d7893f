import CLibUV
import Glibc

/// A program that this one started.
///
/// It shares standard output and error with this process, and has no other of its descriptors. It
/// begins with every signal at its default, in this process's group, so that a terminal's Ctrl-C
/// reaches both. Its end is taken note of by the loop, so that no zombie stays. It belongs to its
/// loop's thread, and stays alive on its own until it has ended.
package final class ChildProcess: HandleOwner {
  /// What a program reads from standard input.
  package enum Input: Sendable {
    /// What this process does.
    case inherited
    /// These bytes, then the end; all of them are there at once, so whether it reads does not matter.
    case bytes([UInt8])
  }

  /// How a program ended.
  package enum End: Hashable, Sendable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case killed(signal: Int32)

    /// What a shell would call it: the status, or 128 and the signal's number.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  private var handle: UnsafeMutablePointer<uv_process_t>?
  private var onEnd: ((End) -> Void)?
  /// The number of the process; it means nothing once that has ended.
  package let id: Int32

  fileprivate init(
    on loop: EventLoop, _ words: [String], variables: [String: String?], input: Input,
    _ onEnd: @escaping (End) -> Void
  ) throws(NetworkError) {
    loop.assertOpen()
    let name = words.first ?? ""
    let standardInput = try Self.descriptor(of: input, for: name)
    defer { if standardInput != STDIN_FILENO { Glibc.close(standardInput) } }
    let handle = Handle.allocate(uv_process_t.self)
    let status = Self.spawn(
      handle, on: loop, words, variables, standardInput)
    guard status == 0 else {
      // libuv has begun the handle whatever came of it, so it has to be closed.
      id = 0
      Handle.close(handle)
      throw NetworkError(.startProgram, name, status: status)
    }
    id = uv_process_get_pid(handle)
    self.handle = handle
    self.onEnd = onEnd
    Handle.tie(handle, to: self)
  }

  /// Whether it has not ended.
  package var isRunning: Bool { handle != nil }

  /// Sends it a signal; does nothing once it has ended.
  package func signal(_ number: Int32) {
    guard let handle else { return }
    // Fails only for a process that is just ending, or a number that is no signal.
    uv_process_kill(handle, number)
  }

  func closeHandle() {
    guard let handle else { return }
    self.handle = nil
    onEnd = nil
    Handle.close(handle)
  }

  private func ended(_ end: End) {
    let onEnd = onEnd
    closeHandle()
    onEnd?(end)
  }

  private static func spawn(
    _ handle: UnsafeMutablePointer<uv_process_t>, on loop: EventLoop, _ words: [String],
    _ changes: [String: String?], _ standardInput: Int32
  ) -> Int32 {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment(with: changes) + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    return withArrays(arguments, variables, descriptors: [standardInput, 1, 2]) {
      words, variables, stdio in
      var options = uv_process_options_t()
      options.file = words[0].map { UnsafePointer($0) }
      options.args = words
      options.env = variables
      options.stdio_count = 3
      options.stdio = stdio
      options.exit_cb = { process, status, signal in
        let end: End =
          signal == 0 ? .exited(Int32(truncatingIfNeeded: status)) : .killed(signal: signal)
        Handle.owner(ChildProcess.self, of: process?.pointee.data)?.ended(end)
      }
      return uv_spawn(loop.loop, handle, &options)
    }
  }

  /// Copies of this process's variables, bytes as they are, but for those that are changed.
  private static func environment(
    with changes: [String: String?]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      next += 1
      let name = String(cString: variable).prefix { $0 != "=" }
      if changes[String(name)] == nil { variables.append(strdup(variable)) }
    }
    for (name, value) in changes {
      if let value { variables.append(strdup("\(name)=\(value)")) }
    }
    return variables
  }

  private typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  private static func withArrays(
    _ words: [UnsafeMutablePointer<CChar>?], _ variables: [UnsafeMutablePointer<CChar>?],
    descriptors: [Int32],
    _ body: (Texts, Texts, UnsafeMutablePointer<uv_stdio_container_t>) -> Int32
  ) -> Int32 {
    var (words, variables) = (words, variables)
    var containers = descriptors.map { descriptor in
      var container = uv_stdio_container_t()
      container.flags = UV_INHERIT_FD
      container.data.fd = descriptor
      return container
    }
    return words.withUnsafeMutableBufferPointer { words in
      variables.withUnsafeMutableBufferPointer { variables in
        containers.withUnsafeMutableBufferPointer { containers in
          guard let words = words.baseAddress, let variables = variables.baseAddress,
            let containers = containers.baseAddress
          else { return UV_EINVAL.rawValue }
          return body(words, variables, containers)
        }
      }
    }
  }

  /// A descriptor to read an input from.
  ///
  /// A file in memory and not a pipe: nobody has to write on while the program reads, and it can be
  /// opened again as `/dev/stdin`.
  private static func descriptor(
    of input: Input, for name: String
  ) throws(NetworkError) -> Int32 {
    guard case .bytes(let bytes) = input else { return STDIN_FILENO }
    let file = memfd_create("input", closeOnExec)
    guard file >= 0 else { throw NetworkError(.startProgram, name, errno: errno) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(file, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      guard count > 0 || errno == EINTR else {
        let code = errno
        Glibc.close(file)
        throw NetworkError(.startProgram, name, errno: code)
      }
      written += max(0, count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// `MFD_CLOEXEC` of memfd_create(2).
  private static let closeOnExec: UInt32 = 1
}

extension EventLoop {
  /// Starts a program; it is looked for as the shell does.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments; not empty.
  ///   - variables: its environment is this process's with these put in, or taken out where `nil`.
  ///   - input: what it reads.
  ///   - onEnd: called on the loop when it has ended.
  /// - Returns: the program, which runs.
  /// - Throws: when there is no such program, or it can't be started.
  package func start(
    _ words: [String], variables: [String: String?], input: ChildProcess.Input,
    onEnd: @escaping (ChildProcess.End) -> Void
  ) throws(NetworkError) -> ChildProcess {
    try ChildProcess(on: self, words, variables: variables, input: input, onEnd)
  }
}
