import DuxJSON
import DuxStore
import Foundation
import Testing

/// The price of an action is the size of its change: what grows with the state is only counted here,
/// the time is the benchmark's (`Scripts/bench app`).
struct StateSizeTests {
  /// A hosted app with so many notes, and the bytes of its state.
  private func hosted(_ count: Int) throws -> HostedApp<NotesApp> {
    var app = NotesApp()
    for number in 0..<count {
      let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
      try app.initialState.notes.append(
        NotesApp.Note(
          id: UUID(
            uuid: (
              1, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
              bytes[6], bytes[7]
            )), text: String(repeating: "x", count: 200), author: "ada",
          at: Date(timeIntervalSince1970: 0)))
    }
    return try HostedApp(app, limits: .roomy, dependencies: counting())
  }

  @Test func `the bytes of a step are those of its change, whatever the state holds`() throws {
    var sizes: Set<Int> = []
    for count in [0, 10, 1_000, 20_000] {
      var store = try hosted(count)
      #expect(store.view.encodedByteCount > count * 200)
      sizes.insert(try store.take("rename", "another title").patch.json.bytes.count)
      let added = try store.take("add", "one more")
      #expect(added.patch.json.bytes.count < 300)
      #expect(added.patch.operations.count == 2)
    }
    #expect(sizes.count == 1)
  }

  @Test func `what a step does not touch is the same storage before and after it`() throws {
    var store = try hosted(5_000)
    let before = try #require(store.view["notes"]?.objectValue)
    _ = try store.take("rename", "another title")
    let after = try #require(store.view["notes"]?.objectValue)
    let parts = ["rows", "order"]
    for part in parts {
      let (old, new) = (before[part]?.objectValue, after[part]?.objectValue)
      #expect(try #require(old).isIdentical(to: #require(new)), "\(part)")
    }
  }
}
