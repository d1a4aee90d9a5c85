package io.weir.transport;

import io.weir.config.AddressBlock;
import io.weir.config.ServerConfig;
import io.weir.config.TlsConfig;
import io.weir.testing.TestAuthority;
import io.weir.transport.http1.ListenerLimits;
import io.weir.transport.log.AccessWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A listener's configuration for tests, on any free port; fields are changed before use. */
public final class ServerBounds {

    SocketTransport transport = SocketTransport.best();
    int port;
    int maxBodyBytes = 1 << 20;
    int maxBatch = 100;
    int maxHeaderBytes = 8192;
    int maxHeaderLines = 100;
    int maxRequestLineBytes = 4096;
    int maxConnections = 100;
    int maxPipelined = 16;
    long idleMillis = 60_000;
    long writeTimeoutMillis = 30_000;
    long headerTimeoutMillis = 30_000;
    long bytesInFlight = 64 << 20;
    int callsInFlight = 1000;
    int callsPerConnection = 1000;
    int connectionsPerAddress;
    long headBytesPerAddress;
    Set<String> corsOrigins = Set.of();
    List<String> corsHeaders = List.of();
    long requestTimeoutMillis = 30_000;
    List<AddressBlock> trustedProxies = List.of();

    /** Names that these tests use in their Host headers. */
    Set<String> hosts = Set.of("a", "main");

    TlsConfig tls = TlsConfig.OFF;

    /** What clients of the test speak; null for plain connections. */
    @Nullable
    SSLContext clientTls;

    /** Has the listener speak TLS, with a new certificate for 127.0.0.1 and localhost. */
    ServerBounds secured() {
        try {
            TestAuthority authority = new TestAuthority("Listener Authority");
            Path folder = Files.createTempDirectory("weir-tls");
            TlsConfig.KeyFiles files = new TlsConfig.KeyFiles(folder.resolve("a.pem"), folder.resolve("a.key"));
            authority.issue("localhost", "127.0.0.1").write(files.chain(), files.key());
            tls = new TlsConfig(Map.of("a", files), TlsConfig.protocols(false), null);
            clientTls = authority.trust();
            return this;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Nullable
    String healthPath;

    @Nullable
    AccessWriter log;

    ListenerLimits limits() {
        return new ListenerLimits(
                maxHeaderLines,
                maxHeaderBytes,
                maxRequestLineBytes,
                headBytesPerAddress,
                headerTimeoutMillis,
                maxPipelined,
                callsPerConnection);
    }

    public ServerConfig build() {
        return new ServerConfig(
                "127.0.0.1",
                port,
                1,
                maxBodyBytes,
                maxBatch,
                maxConnections,
                idleMillis,
                writeTimeoutMillis,
                requestTimeoutMillis,
                30_000,
                10_000,
                0,
                healthPath,
                new ServerConfig.Load(bytesInFlight, callsInFlight, connectionsPerAddress),
                new ServerConfig.Cors(corsOrigins, corsHeaders),
                trustedProxies,
                null,
                hosts,
                null,
                tls);
    }
}
