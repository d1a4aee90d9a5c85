package io.weir.tls;

import java.util.List;

/**
 * Certificates that come from files and are renewed without a restart. New connections use what the last successful look found; open ones
 * continue with theirs. Thread-safe.
 */
public interface CertificateSource {

    /** Looks at the files again; blocks. Files that cannot be used change nothing. */
    Look reread();

    /** Returns what is in use now, one for each certificate. */
    List<CertificateStatus> status();

    /**
     * What has changed since the look before. Immutable.
     *
     * @param renewed the settings whose files have new content, which is in use now
     * @param problems files whose content was refused, one line each; not repeated while it stays the same
     */
    record Look(List<String> renewed, List<String> problems) {

        public Look {
            renewed = List.copyOf(renewed);
            problems = List.copyOf(problems);
        }
    }
}
