package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A new key and its self-signed certificate, made by the JDK's own tool. Immutable. */
public final class TestCertificate {

    private static final String PASSWORD = "password";

    private final KeyStore keys;

    private TestCertificate(KeyStore keys) {
        this.keys = keys;
    }

    /**
     * Makes one.
     *
     * @param folder for its files
     * @param name of the files
     * @param host whom it is for
     */
    public static TestCertificate of(Path folder, String name, String host)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-alias", "node", "-dname", "CN=" + name));
        command.addAll(List.of("-ext", "SAN=dns:" + host, "-storetype", "PKCS12"));
        command.addAll(List.of("-keystore", file.toString(), "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .start();
        assertThat(keytool.waitFor()).as("keytool's exit code").isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(store);
    }

    /** The certificate alone. */
    public X509Certificate certificate() throws GeneralSecurityException {
        return (X509Certificate) keys.getCertificate("node");
    }

    /** A socket, not yet bound, whose connections show the certificate. */
    public ServerSocket serverSocket() throws IOException, GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context.getServerSocketFactory().createServerSocket();
    }

    /** The flags of a JVM that trusts these certificates and no other, for which a file is written. */
    public static List<String> trustFlags(Path file, TestCertificate... trusted)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < trusted.length; i++) {
            store.setCertificateEntry("trusted" + i, trusted[i].certificate());
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return List.of(
                "-Djavax.net.ssl.trustStore=" + file,
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }
}
