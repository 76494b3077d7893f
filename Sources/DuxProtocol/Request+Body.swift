import DuxJSON
import DuxLog

extension Request.Dispatch {
  /// What is asked, in canonical form.
  ///
  /// It does not tell `action` from `actions` of one, nor an absent `if` from an empty one: they ask
  /// for the same.
  package struct Body: Sendable {
    /// The actions as a JSON array, as the log keeps them.
    package let actions: [UInt8]
    /// The conditions as a JSON array; empty where there are none.
    private let conditions: [UInt8]
    /// Tells a retry from another request of the same number.
    package let digest: UInt64

    init(actions: [UInt8], conditions: JSONArray? = nil) {
      self.actions = actions
      var digest = QuickDigest()
      digest.update(actions)
      if let conditions, conditions.count > 0 {
        self.conditions = JSON.array(conditions).bytes
        digest.update(self.conditions)
      } else {
        self.conditions = []
      }
      self.digest = digest.value
    }

    /// Whether a digest is that of this body.
    ///
    /// Data folders of earlier builds hold a ``Digest`` of each body; a retry is known by that too.
    package func has(_ digest: UInt64) -> Bool {
      digest == self.digest || digest == formerDigest
    }

    private var formerDigest: UInt64 {
      var digest = Digest()
      digest.update(actions)
      digest.update(conditions)
      return digest.value
    }
  }
}
