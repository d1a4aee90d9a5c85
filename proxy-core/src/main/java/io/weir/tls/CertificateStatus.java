package io.weir.tls;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate in use. Immutable.
 *
 * @param setting the path of its settings
 * @param hosts its host names
 * @param notAfter the end of its validity, or of the first one in its chain to end
 * @param problem why the present content of its files is not in use; null if it is
 */
public record CertificateStatus(
        String setting,
        List<String> hosts,
        Instant notAfter,
        @Nullable String problem) {}
