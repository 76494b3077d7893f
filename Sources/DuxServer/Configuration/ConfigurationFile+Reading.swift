package import DuxCommandLine
import DuxJSON
import Foundation

extension ConfigurationFile {
  /// Reads a configuration file: one JSON object, whose values are strings, numbers, Booleans or
  /// lists of those.
  ///
  /// - Throws: ``SettingError`` naming the file and what is wrong with it.
  package static func read(_ path: String) throws(SettingError) -> ConfigurationFile {
    func wrong(_ reason: String) -> SettingError {
      SettingError(source: .commandLine("--config"), reason: "\(path): \(reason)")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw wrong("the file can't be read")
    }
    let json: JSON
    do throws(JSONParseError) {
      json = try JSON(parsing: [UInt8](data))
    } catch {
      throw wrong("this is no JSON: \(error)")
    }
    guard let object = json.objectValue else { throw wrong("this is no JSON object") }
    var values: [String: [String]] = [:]
    for (key, value) in object {
      let items = value.arrayValue.map { Array($0) } ?? [value]
      var texts: [String] = []
      for item in items {
        guard let text = item.settingText else {
          throw wrong("\(key): a setting is a string, a number, a Boolean or a list of those")
        }
        texts.append(text)
      }
      values[key] = texts
    }
    return ConfigurationFile(path: path, values: values)
  }
}

extension JSON {
  fileprivate var settingText: String? {
    switch self {
    case .string(let text): text
    case .bool, .integer, .double: description
    case .null, .array, .object: nil
    }
  }
}
