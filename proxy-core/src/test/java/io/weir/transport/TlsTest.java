package io.weir.transport;

import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A listener with certificates of a test, and clients that trust their authority. */
@NoLeaks
abstract class TlsTest {

    static final String PATH = "/v3/" + TestProxy.KEY;
    static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"main\"}";

    @TempDir
    Path folder;

    final Map<String, KeyFiles> files = new LinkedHashMap<>();
    final ServerBounds bounds = new ServerBounds();
    TestAuthority authority;
    TestProxy proxy;
    List<String> protocols = TlsConfig.protocols(false);
    Path clientCa;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority("Test Authority");
        bounds.clientTls = authority.trust();
        add("main", authority.issue("localhost", "127.0.0.1"));
    }

    @AfterEach
    void end() {
        proxy.close();
    }

    void add(String name, Issued issued) throws IOException {
        KeyFiles own = new KeyFiles(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        issued.write(own.chain(), own.key());
        files.put(name, own);
    }

    void start() throws IOException {
        bounds.tls = new TlsConfig(files, protocols, clientCa);
        proxy = new TestProxy(bounds);
    }

    long handshakes(String outcome) {
        return proxy.meters.counter(Meter.TLS_HANDSHAKES, "json-rpc", outcome).getCount();
    }

    SSLSocket connect(String sni, String... versions) throws IOException {
        return connectBy(proxy.clientTls, sni, versions);
    }

    SSLSocket connectBy(SSLContext context, String sni, String... versions) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", proxy.port());
        socket.setSoTimeout(60_000);
        SSLParameters parameters = socket.getSSLParameters();
        if (sni != null) {
            parameters.setServerNames(List.of(new SNIHostName(sni)));
        }
        if (versions.length > 0) {
            parameters.setProtocols(versions);
        }
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        socket.setSSLParameters(parameters);
        return socket;
    }

    static X509Certificate shown(SSLSocket socket) throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    HttpClient client() {
        return client(proxy.clientTls);
    }

    static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    HttpResponse<String> post(HttpClient client) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(proxy.uri(PATH))
                        .POST(HttpRequest.BodyPublishers.ofString(CALL))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    static String text(SSLSocket socket, int bodyLength) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0 || text.length() - text.indexOf("\r\n\r\n") - 4 < bodyLength) {
            int next = in.read();
            if (next < 0) {
                return text.toString();
            }
            text.append((char) next);
        }
        return text.toString();
    }

    List<String> names(String sni) throws Exception {
        // A context of its own: one of several connections would resume the session of another host.
        try (SSLSocket socket = connectBy(authority.trust(), sni)) {
            socket.startHandshake();
            List<String> names = new ArrayList<>();
            shown(socket).getSubjectAlternativeNames().forEach(name -> names.add((String) name.get(1)));
            return names;
        }
    }
}
