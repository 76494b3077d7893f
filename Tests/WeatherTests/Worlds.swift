import DuxStore
import Foundation
import Synchronization

@testable import Weather

extension City {
  static let pell = City(id: "pell", name: "Pell", country: "Velmora")
  static let windle = City(id: "windle", name: "Windle", country: "Velmora")
}

extension WeatherReport {
  static func sunny(_ city: City) -> WeatherReport {
    WeatherReport(
      city: city, now: .init(temperature: 20, condition: "clear", wind: 5, humidity: 50), days: [])
  }
}

/// A server whose answers a test gives one by one, and that notes what it was asked.
final class Switchboard: Sendable {
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private struct Content {
    var questions: [String] = []
    var open: [String: CheckedContinuation<String, any Error>] = [:]
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let content = Mutex(Content())

  /// All that was asked, in order.
  var questions: [String] { content.withLock { $0.questions } }

  var client: WeatherClient {
    WeatherClient(
      cities: { query in
        let names = try await self.ask(query)
        return names.split(separator: " ").map {
          City(id: $0.lowercased(), name: String($0), country: "Velmora")
        }
      },
      report: { city in
        _ = try await self.ask(city)
        return .sunny(City(id: city, name: city.capitalized, country: "Velmora"))
      })
  }

  /// Answers an open question; who asked may have been cancelled meanwhile.
  func answer(_ question: String, _ answer: Result<String, any Error>) {
    let asker = content.withLock { $0.open.removeValue(forKey: question) }
    asker?.resume(with: answer)
  }

  /// Waits until so many questions were asked.
  func asked(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = content.withLock { content in
        if content.questions.count < count { content.waiting.append((count, continuation)) }
        return content.questions.count >= count
      }
      if isMet { continuation.resume() }
    }
  }

  private func ask(_ question: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      let met = content.withLock { content in
        content.questions.append(question)
        content.open[question] = continuation
        let count = content.questions.count
        defer { content.waiting.removeAll { $0.count <= count } }
        return content.waiting.filter { $0.count <= count }
      }
      for waiting in met { waiting.continuation.resume() }
    }
  }
}
