package io.weir.wallet.approval;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contents of the requests that were approved in the last minutes, to show that one is asked for again. Thread-safe. */
final class RecentApprovals {

    private static final int MAX = 200;
    private static final Duration KEPT = Duration.ofMinutes(30);

    private final Map<String, Instant> byContent = new LinkedHashMap<>();

    synchronized void add(ApprovalRequest request, Instant now) {
        String content = hash(request);
        byContent.remove(content);
        byContent.put(content, now);
        if (byContent.size() > MAX) {
            byContent.remove(byContent.keySet().iterator().next());
        }
    }

    synchronized @Nullable Instant last(ApprovalRequest request, Instant now) {
        Instant found = byContent.get(hash(request));
        return found == null || found.plus(KEPT).isBefore(now) ? null : found;
    }

    private static String hash(ApprovalRequest request) {
        try {
            byte[] text = request.content().toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
