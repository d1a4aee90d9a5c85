package io.weir.tls;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Validity;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Certificates by which operators are admitted to the admin listener. */
class FingerprintTrustTest {

    private static final String AUTHENTICATION = "UNKNOWN";

    private static X509Certificate issued(Validity validity) throws Exception {
        return new TestAuthority("Anybody").issue(validity, "operator").certificate();
    }

    private static X509Certificate valid() throws Exception {
        return issued(TestAuthority.validFor(Duration.ofDays(1)));
    }

    /** Has a client show certificates to a listener that lists the first of some. */
    private static void show(X509Certificate listed, X509Certificate... shown) throws CertificateException {
        new TlsContexts.FingerprintTrust(Set.of(Fingerprint.of(listed))).checkClientTrusted(shown, AUTHENTICATION);
    }

    @Test
    void aListedCertificateIsTrustedWhoeverIssuedIt() throws Exception {
        X509Certificate listed = valid();
        assertThatCode(() -> show(listed, listed)).doesNotThrowAnyException();
    }

    @Test
    void anExpiredCertificateIsRefusedAlthoughItIsListed() throws Exception {
        X509Certificate expired = issued(TestAuthority.validFor(Duration.ofSeconds(-5)));
        assertThatThrownBy(() -> show(expired, expired)).isInstanceOf(CertificateExpiredException.class);
    }

    @Test
    void aCertificateIsRefusedBeforeItsTimeAlthoughItIsListed() throws Exception {
        Instant later = Instant.now().plus(Duration.ofHours(1));
        X509Certificate early = issued(new Validity(later, later.plusSeconds(60)));
        assertThatThrownBy(() -> show(early, early)).isInstanceOf(CertificateNotYetValidException.class);
    }

    @Test
    void anUnlistedCertificateIsRefusedAlsoInFrontOfAListedOne() throws Exception {
        X509Certificate listed = valid();
        X509Certificate other = valid();
        assertThatThrownBy(() -> show(listed, other))
                .hasMessage("client certificate: unknown (expected: one in admin.client-certificates)");
        assertThatThrownBy(() -> show(listed, other, listed)).isInstanceOf(CertificateException.class);
    }

    @Test
    void aClientWithoutCertificateIsRefused() throws Exception {
        X509Certificate listed = valid();
        assertThatThrownBy(() -> show(listed)).isInstanceOf(CertificateException.class);
    }

    @Test
    void noServerIsTrusted() throws Exception {
        X509Certificate listed = valid();
        TlsContexts.FingerprintTrust trust = new TlsContexts.FingerprintTrust(Set.of(Fingerprint.of(listed)));
        X509Certificate[] chain = {listed};
        assertThatThrownBy(() -> trust.checkServerTrusted(chain, AUTHENTICATION))
                .isInstanceOf(CertificateException.class);
    }
}
