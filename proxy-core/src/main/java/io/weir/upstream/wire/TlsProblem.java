package io.weir.upstream.wire;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import org.jspecify.annotations.Nullable;

/** Description of a failed TLS handshake in the proxy's own words, because messages of exceptions name hosts. Immutable. */
final class TlsProblem {

    private static final String FAILED = "the TLS handshake failed";
    private static final int MAX_CAUSES = 16;

    private TlsProblem() {}

    /** Returns the description of a failed handshake. The deepest known cause decides. */
    static String detail(@Nullable Throwable failure) {
        String detail = FAILED;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            String why = why(cause);
            if (why != null) {
                detail = FAILED + ": " + why;
            }
            cause = cause.getCause();
        }
        return detail;
    }

    private static @Nullable String why(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return "the node does not speak TLS";
        }
        if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
            return "the node's certificate is not valid at this time";
        }
        if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
            return "the node's certificate is not trusted";
        }
        // Exceptions of exactly this class report a name that does not match.
        return cause.getClass() == CertificateException.class ? "the node's certificate is for another host" : null;
    }
}
