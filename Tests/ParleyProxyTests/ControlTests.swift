import Foundation
import ParleyProxy
import TestSupport
import Testing

/// The control, byte for byte as Toxiproxy's.
struct ControlTests {
    private struct Pair {
        let method: String
        let path: String
        let body: String
        /// The status, the type and what else is known of the fields.
        let head: String
        let answer: String
    }

    private struct BadVectors: Error {}

    private static func pairs(_ ports: [String: ReservedPort]) throws -> [Pair] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Vectors/control.txt")
        var text = try String(contentsOf: file, encoding: .utf8)
        for (name, port) in ports { text.replace("{\(name)}", with: "\(port.number)") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("#") }.dropFirst()
        var pairs: [Pair] = []
        for start in stride(from: lines.startIndex, to: lines.endIndex - 3, by: 4) {
            let request = lines[start].split(separator: " ", maxSplits: 2)
            guard request.count > 1, lines[start + 3].isEmpty else { throw BadVectors() }
            pairs.append(
                Pair(
                    method: String(request[0]),
                    path: String(request[1]),
                    body: request.count > 2 ? String(request[2]) : "",
                    head: String(lines[start + 1]),
                    answer: String(lines[start + 2]).replacing("\\n", with: "\n")
                )
            )
        }
        return pairs
    }

    /// Regression: a proxy with such a name could be made, and neither changed nor removed.
    @Test func aNameWithASlashIsEscaped() async throws {
        let proxies = FaultProxies(seed: 1)
        let body = #"{"name":"a/b","listen":"127.0.0.1:0","upstream":"127.0.0.1:9"}"#
        let made = await proxies.answer(
            ControlRequest("POST", "/proxies", body: Array(body.utf8))
        )
        #expect(made.status == 201)
        #expect(await proxies.answer(ControlRequest("GET", "/proxies/a%2Fb")).status == 200)
        #expect(await proxies.answer(ControlRequest("GET", "/proxies/a/b")).status == 404)
        #expect(await proxies.answer(ControlRequest("DELETE", "/proxies/a%2Fb")).status == 204)
    }

    @Test func eachAnswerIsThatOfToxiproxy() async throws {
        let proxies = FaultProxies(seed: 1)
        let ports = try ["a": ReservedPort(), "b": ReservedPort(), "c": ReservedPort()]
        defer { withExtendedLifetime(ports) {} }
        let pairs = try Self.pairs(ports)
        #expect(pairs.count > 130)
        for pair in pairs {
            let answer = await proxies.answer(
                ControlRequest(pair.method, pair.path, body: Array(pair.body.utf8))
            )
            let fields = Dictionary(
                answer.fields.map { ($0.name, $0.value) },
                uniquingKeysWith: { $1 }
            )
            var head = "\(answer.status) \(fields["Content-Type"] ?? "-")"
            if fields["X-Content-Type-Options"] == "nosniff" { head += " nosniff" }
            if fields["X-Toxiproxy-Request-Id"]?.count != 20 { head += " unrouted" }
            #expect(head == pair.head, "\(pair.method) \(pair.path) \(pair.body)")
            #expect(answer.body == pair.answer, "\(pair.method) \(pair.path) \(pair.body)")
        }
    }

    @Test func browsersAreTurnedAway() async {
        let proxies = FaultProxies(seed: 1)
        let request = ControlRequest("GET", "/proxies", userAgent: "Mozilla/5.0 (X11)")
        let answer = await proxies.answer(request)
        #expect(answer.status == 403)
        #expect(answer.body == "User agent not allowed\n")
    }

    @Test func toxicsOfANewProxyAreThereBeforeItsFirstConnection() async throws {
        let rig = try await ProxyRig(
            toxics: #"[{"type":"latency","attributes":{"latency":7}},{"type":"half_open"}]"#
        )
        let answer = await rig.ask("GET", "/proxies/web/toxics")
        #expect(
            answer.body == """
                [{"attributes":{"latency":7,"jitter":0},"name":"latency_downstream",\
                "type":"latency","stream":"downstream","toxicity":1},\
                {"attributes":{},"name":"half_open_downstream","type":"half_open",\
                "stream":"downstream","toxicity":1}]
                """
        )
    }

    @Test func aProxyWithAToxicThatIsWrongIsNotMade() async throws {
        let proxies = FaultProxies(seed: 1)
        let body = #"{"name":"x","upstream":"y:1","toxics":[{"type":"latency"},{"type":"nope"}]}"#
        let request = ControlRequest("POST", "/proxies", body: Array(body.utf8))
        #expect(await proxies.answer(request).status == 400)
        #expect(await proxies.answer(ControlRequest("GET", "/proxies")).body == "{}")
    }

    @Test func metricsCountBytesOfOpenConnections() async throws {
        let rig = try await ProxyRig(hasMetrics: true)
        let (client, server) = try await rig.pair()
        try await client.send("12345".utf8)
        _ = try await server.receive(5)
        let metrics = await rig.ask("GET", "/metrics").body
        #expect(
            metrics.contains(
                """
                toxiproxy_proxy_sent_bytes_total{direction="upstream",\
                listener="127.0.0.1:\(rig.port)",proxy="web",upstream="127.0.0.1:\(server.port)"} 5

                """
            ),
            "\(metrics)"
        )
    }

    @Test func aConnectionOfTheListCanBeCut() async throws {
        let rig = try await ProxyRig()
        let (client, server) = try await rig.pair()
        try await client.send("12345".utf8)
        _ = try await server.receive(5)
        let list = await rig.ask("GET", "/connections").body
        #expect(list.hasPrefix(#"[{"id":1,"proxy":"web","number":1,"client":"127.0.0.1:"#))
        #expect(list.contains(#""upstream":{"received":5,"sent":5,"waiting":0}"#))
        #expect(await rig.ask("DELETE", "/connections/1?reset=true").status == 204)
        #expect(try await client.receiveAll().end == .reset)
        #expect(await rig.ask("GET", "/connections").body == "[]")
        #expect(await rig.ask("DELETE", "/connections/1").status == 404)
    }

    @Test func whatToxiproxyLacksIsShownOnlyIfItIsSet() async throws {
        let rig = try await ProxyRig(
            toxics: #"[{"type":"latency","stream":"both","attributes":{"distribution":"normal"}}]"#
        )
        let answer = await rig.ask("GET", "/proxies/web/toxics/latency_both")
        #expect(
            answer.body == """
                {"attributes":{"latency":0,"jitter":0,"distribution":"normal"},\
                "name":"latency_both","type":"latency","stream":"both","toxicity":1}
                """
        )
        let wrong = #"{"attributes":{"distribution":"cubic"}}"#
        #expect(await rig.ask("PATCH", "/proxies/web/toxics/latency_both", wrong).status == 400)
    }
}
