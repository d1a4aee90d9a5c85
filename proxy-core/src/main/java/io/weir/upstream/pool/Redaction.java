package io.weir.upstream.pool;

import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Filter that hides a node's address and credentials from clients. An error that contains them is reduced to its code.
 * Immutable and thread-safe.
 */
final class Redaction {

    /** Characters. Shorter parts, such as the path {@code /} or a weight in a header, occur in harmless texts too. */
    private static final int MIN_CHARS = 6;

    /** Characters. A word of an address or a header that is as long, and has a digit, is taken for a key: nodes may name it alone. */
    private static final int MIN_KEY_CHARS = 16;

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{Alnum}_.~-]+");

    private final List<String> secrets = new ArrayList<>();

    Redaction(UpstreamConfig config) {
        add(config.url());
        add(config.wsUrl());
        config.headers().values().forEach(this::add);
    }

    private void add(@Nullable URI url) {
        if (url != null) {
            add(url.getRawAuthority());
            add(url.getHost());
            add(url.getRawPath());
            add(url.getRawQuery());
            add(url.getRawUserInfo());
            addPassword(url.getRawUserInfo());
        }
    }

    private void addPassword(@Nullable String userInfo) {
        if (userInfo != null) {
            add(userInfo.substring(userInfo.indexOf(':') + 1));
        }
    }

    private void add(@Nullable String part) {
        if (part == null || part.length() < MIN_CHARS) {
            return;
        }
        String secret = part.toLowerCase(Locale.ROOT);
        secrets.add(secret);
        BETWEEN_WORDS.splitAsStream(secret).filter(Redaction::isKey).forEach(secrets::add);
    }

    private static boolean isKey(String word) {
        return word.length() >= MIN_KEY_CHARS && word.chars().anyMatch(Character::isDigit);
    }

    /** Returns the reply in the form that a client may see. */
    RpcReply clean(RpcReply reply) {
        if (!(reply instanceof RpcReply.Failure failure) || !names(failure.error())) {
            return reply;
        }
        String text = ErrorCode.INTERNAL_ERROR.error().message();
        return new RpcReply.Failure(
                new RpcError(failure.error().code(), text, null), failure.kind(), failure.retryAfterSeconds());
    }

    private boolean names(RpcError error) {
        RawJson data = error.data();
        String text = (data == null ? error.message() : error.message() + ' ' + data).toLowerCase(Locale.ROOT);
        return secrets.stream().anyMatch(text::contains);
    }
}
