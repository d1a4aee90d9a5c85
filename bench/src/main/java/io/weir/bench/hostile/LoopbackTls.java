package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1 that lasts for a run, and clients that trust it. Immutable.
 *
 * @param folder with {@code chain.pem} and {@code key.pem}
 */
record LoopbackTls(Path folder, SSLContext trust) {

    private static final String WORD = "changeit";

    /** Makes a certificate in a new folder, by the keytool of the JDK. */
    static LoopbackTls make() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("weir-hostile");
        Path store = folder.resolve("keys.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                (keytool + " -genkeypair -keyalg EC -alias a -dname CN=bench -ext SAN=ip:127.0.0.1,dns:localhost"
                                + " -storetype PKCS12 -storepass " + WORD + " -keystore " + store)
                        .split(" "));
        if (new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                != 0) {
            throw new IOException(keytool + ": failed (expected: a certificate)");
        }
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), WORD.toCharArray());
            write(
                    folder.resolve("chain.pem"),
                    "CERTIFICATE",
                    keys.getCertificate("a").getEncoded());
            write(
                    folder.resolve("key.pem"),
                    "PRIVATE KEY",
                    keys.getKey("a", WORD.toCharArray()).getEncoded());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("a", keys.getCertificate("a"));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext trust = SSLContext.getInstance("TLS");
            trust.init(null, managers.getTrustManagers(), null);
            return new LoopbackTls(folder, trust);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static void write(Path file, String name, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN " + name + "-----\n" + text + "\n-----END " + name + "-----\n", US_ASCII);
    }

    /** Returns the settings of a proxy that shows the certificate. */
    String settings() {
        return "server.tls.certificates.a { chain = \"%1$s/chain.pem\", key = \"%1$s/key.pem\" }".formatted(folder);
    }

    /** Returns a connection with TLS over one without. */
    Socket secured(Socket plain, boolean http2) throws IOException {
        SSLSocket secured =
                (SSLSocket) trust.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {http2 ? "h2" : "http/1.1"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }
}
