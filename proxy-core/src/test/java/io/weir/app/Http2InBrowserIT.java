package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Chromium;
import io.weir.testing.ConfigurationText;
import io.weir.testing.TestAuthority;
import io.weir.testing.traffic.EchoNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A page in a real Chromium that sends its calls over HTTP/2. */
final class Http2InBrowserIT {

    private static final int CALLS = 50;

    private static final String FETCH = """
            const done = arguments[arguments.length - 1];
            const ask = async id => {
              const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_gasPrice', params: [] });
              const headers = { 'content-type': 'application/json' };
              const response = await fetch('/v3/demo', { method: 'POST', headers, body });
              const answer = await response.json();
              return response.status === 200 && 'result' in answer ? answer.id : -1;
            };
            const protocols = type => performance.getEntriesByType(type).map(entry => entry.nextHopProtocol);
            // The browser notes a call at any time after its answer.
            const noted = () => new Promise(all => {
              const look = () => protocols('resource').length >= 50 ? all() : setTimeout(look, 50);
              look();
            });
            Promise.all([...Array(50).keys()].map(ask)).then(async ids => {
              await noted();
              done(JSON.stringify({ ids, page: protocols('navigation'), calls: protocols('resource') }));
            }).catch(error => done(JSON.stringify({ error: String(error) })));""";

    @TempDir
    private Path folder;

    @Test
    void aPageSendsItsCallsOverHttp2() throws Exception {
        Chromium.require();
        TestAuthority authority = new TestAuthority("Authority");
        authority.issue("localhost", "127.0.0.1").write(folder.resolve("a.pem"), folder.resolve("a.key"));
        try (EchoNode node = EchoNode.start("node", 1);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("one", "1")
                        .upstream("node", node.url())
                        .setting("server.health-path = /health")
                        .setting("server.tls.certificates.a { chain = \"" + folder + "/a.pem\", key = \"" + folder
                                + "/a.key\" }")
                        .text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            ChromeDriver browser = Chromium.start(true);
            browser.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
            try {
                // The only page of the listener.
                browser.get("https://localhost:" + weir.port() + "/health");
                JsonNode seen =
                        JsonMapper.builder().build().readTree(String.valueOf(browser.executeAsyncScript(FETCH)));
                assertThat(seen.path("error").isMissingNode())
                        .as(seen.toString())
                        .isTrue();
                assertThat(seen.path("ids")).hasSize(CALLS);
                for (int id = 0; id < CALLS; id++) {
                    assertThat(seen.path("ids").path(id).asInt()).isEqualTo(id);
                }
                assertThat(seen.path("page")).extracting(JsonNode::asString).containsExactly("h2");
                assertThat(seen.path("calls"))
                        .extracting(JsonNode::asString)
                        .hasSizeGreaterThanOrEqualTo(CALLS)
                        .containsOnly("h2");
                assertThat(weir.admin().metric("weir_http2_connections")).isPositive();
            } finally {
                browser.quit();
            }
        }
    }
}
