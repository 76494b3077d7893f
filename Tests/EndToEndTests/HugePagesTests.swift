import DuxJSON
import Testing

/// The pages that a daemon's memory lies in.
struct HugePagesTests {
  private static let setting = "/sys/kernel/mm/transparent_hugepage/enabled"

  /// Whether the kernel gives a process huge pages that asks for them.
  static var areThere: Bool {
    guard let text = try? contents(of: setting) else { return false }
    let words = String(decoding: text, as: UTF8.self)
    return words.contains("[madvise]") || words.contains("[always]")
  }

  // A kernel may be built or told to have none.
  @Test(.enabled(if: areThere))
  func aLargeHeapLiesInHugePagesAndASmallOneDoesNot() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: nil)
    try client.accepted(.set("/a", 1))
    try #expect(daemon.hugeMemory == 0)
    for part in 0..<155 { try fill(part, client) }
    try #expect(daemon.hugeMemory >= 2 << 20)

    try daemon.stop()
    try daemon.start()
    try Client(daemon, named: nil).accepted(.set("/a", 2))
    try #expect(daemon.hugeMemory >= 2 << 20, "the state was read from a checkpoint")
  }

  /// Adds a little less than a megabyte, in pieces that the C library keeps in its heap.
  private func fill(_ part: Int, _ client: Client) throws {
    try client.send(
      raw: #"{"op":"dispatch","action":{"type":"doc/set","payload":"#
        + #"{"path":"/part\#(part)","value":\#(Self.values)}}}"# + "\n")
    _ = try client.next("ack")
  }

  private static let values =
    "["
    + Array(repeating: "\"" + String(repeating: "x", count: 90_000) + "\"", count: 10)
    .joined(separator: ",") + "]"
}
