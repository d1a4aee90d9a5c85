package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TlsProblemTest {

    private static Throwable failure(Throwable cause) {
        return new SSLHandshakeException("node.secret.example").initCause(cause);
    }

    static Stream<Arguments> causes() {
        Throwable expired =
                new CertPathValidatorException("date", new CertificateExpiredException("node.secret.example"));
        Throwable early = new CertPathValidatorException("date", new CertificateNotYetValidException("2099"));
        Throwable untrusted = new CertificateException("path", new CertPathBuilderException("none"));
        return Stream.of(
                Arguments.of(expired, ": the node's certificate is not valid at this time"),
                Arguments.of(early, ": the node's certificate is not valid at this time"),
                Arguments.of(untrusted, ": the node's certificate is not trusted"),
                Arguments.of(
                        new CertificateException("node.secret.example"),
                        ": the node's certificate is for another host"),
                Arguments.of(new NotSslRecordException("484f"), ": the node does not speak TLS"),
                Arguments.of(new IllegalStateException("node.secret.example"), ""));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void theDeepestKnownCauseIsReportedInTheProxysWords(Throwable cause, String why) {
        assertThat(NodeConnector.TlsProblem.detail(failure(cause))).isEqualTo("the TLS handshake failed" + why);
    }

    @Test
    void causesThatGoInACircleAreFollowedToABound() {
        Throwable first = new IllegalStateException("first");
        Throwable second = new IllegalStateException("second", first);
        first.initCause(second);
        assertThat(NodeConnector.TlsProblem.detail(first)).isEqualTo("the TLS handshake failed");
        assertThat(NodeConnector.TlsProblem.detail(null)).isEqualTo("the TLS handshake failed");
    }
}
