package io.weir.upstream.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.net.URI;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Filter that hides a node's address and credentials. An error that contains one of them is reduced to its code, whatever
 * the case of its letters and however JSON or a URL escapes them. Hidden are the host with its port or domain, the path and
 * the query as a whole, user and password, each value of the query and of a header, and each word of the host and of the
 * path that looks like a key: eight characters with a letter and a digit, or twenty of any kind. Other words, such as the
 * name of a chain, occur in harmless errors. Immutable and thread-safe.
 */
final class Redaction {

    /** Characters. Shorter parts, such as the path {@code /} or a weight in a header, occur in harmless texts too. */
    private static final int MIN_CHARS = 6;

    private static final int MIN_KEY_CHARS = 8;
    private static final int MIN_LONG_CHARS = 20;

    /** A text within a text, such as the body of another answer, is escaped twice. */
    private static final int MAX_DECODINGS = 3;

    private static final String BASIC = "basic ";
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{Alnum}_~-]+");
    private static final Pattern BETWEEN_PAIRS = Pattern.compile("[&;,\\s]+");
    private static final Pattern ESCAPED =
            Pattern.compile("(?:%\\p{XDigit}{2})++|\\\\u(\\p{XDigit}{4})|\\\\(.)", Pattern.DOTALL);

    private final Set<String> secrets = new LinkedHashSet<>();

    Redaction(UpstreamConfig config) {
        addUrl(config.url());
        addUrl(config.wsUrl());
        config.headers().values().forEach(this::addHeader);
    }

    private void addUrl(@Nullable URI url) {
        if (url == null) {
            return;
        }
        String host = String.valueOf(url.getHost());
        add(url.getRawAuthority());
        add(host + ':' + url.getPort());
        addKeys(host);
        if (host.indexOf('.') >= 0 || host.indexOf(':') >= 0) {
            add(host);
        }
        add(url.getRawPath());
        addKeys(String.valueOf(url.getRawPath()));
        if (url.getRawUserInfo() != null) {
            addUser(url.getRawUserInfo());
            String pair = decoded(url.getRawUserInfo());
            add(base64(pair.indexOf(':') < 0 ? pair + ':' : pair));
        }
        String query = url.getRawQuery();
        if (query != null) {
            add(query);
            BETWEEN_PAIRS.splitAsStream(query).map(Redaction::value).forEach(value -> {
                add(value);
                add(value.replace('+', ' '));
            });
        }
    }

    private static String base64(String pair) {
        return Base64.getEncoder().withoutPadding().encodeToString(pair.getBytes(UTF_8));
    }

    private static String value(String pair) {
        return pair.substring(pair.indexOf('=') + 1);
    }

    private void addUser(String pair) {
        int colon = pair.indexOf(':');
        add(pair);
        add(colon < 0 ? null : pair.substring(0, colon));
        add(pair.substring(colon + 1));
    }

    private void addHeader(String value) {
        add(value);
        addKeys(value);
        String last = value.strip().substring(value.strip().lastIndexOf(' ') + 1);
        Stream.concat(Stream.of(last), BETWEEN_PAIRS.splitAsStream(value).filter(word -> word.indexOf('=') >= 0))
                .map(word -> value(word).replace("\"", ""))
                .filter(word -> word.length() >= MIN_KEY_CHARS)
                .forEach(this::add);
        add(last.length() >= MIN_KEY_CHARS ? last : null);
        if (value.toLowerCase(Locale.ROOT).startsWith(BASIC)) {
            try {
                addUser(new String(Base64.getDecoder().decode(last), UTF_8));
            } catch (IllegalArgumentException e) {
                // Its value is hidden as it is.
            }
        }
    }

    private void addKeys(String part) {
        BETWEEN_WORDS.splitAsStream(decoded(part)).filter(Redaction::isKey).forEach(this::add);
    }

    private static boolean isKey(String word) {
        boolean mixed =
                word.chars().anyMatch(Character::isDigit) && word.chars().anyMatch(Character::isLetter);
        return word.length() >= (mixed ? MIN_KEY_CHARS : MIN_LONG_CHARS);
    }

    private void add(@Nullable String part) {
        if (part != null && part.length() >= MIN_CHARS) {
            secrets.add(part.toLowerCase(Locale.ROOT));
            secrets.add(decoded(part).toLowerCase(Locale.ROOT));
        }
    }

    /**
     * Returns an error in the form that clients and logs may see.
     *
     * @param said the error as the node sent it
     * @param shown the same error, perhaps shortened already
     */
    RpcError clean(RpcError said, RpcError shown) {
        return isNamedIn(said)
                ? new RpcError(shown.code(), ErrorCode.INTERNAL_ERROR.error().message(), null)
                : shown;
    }

    private boolean isNamedIn(RpcError error) {
        RawJson data = error.data();
        String text = data == null ? error.message() : error.message() + ' ' + data;
        for (int i = 0; i <= MAX_DECODINGS; i++) {
            String lower = text.toLowerCase(Locale.ROOT);
            if (secrets.stream().anyMatch(lower::contains)) {
                return true;
            }
            String decoded = decoded(text);
            if (decoded.equals(text)) {
                return false;
            }
            text = decoded;
        }
        return false;
    }

    /** Returns a text without one layer of the escapes of URLs and of JSON. */
    private static String decoded(String text) {
        return text.indexOf('%') < 0 && text.indexOf('\\') < 0
                ? text
                : ESCAPED.matcher(text).replaceAll(escape -> Matcher.quoteReplacement(plain(escape)));
    }

    private static String plain(MatchResult escape) {
        if (escape.group(1) != null) {
            return String.valueOf((char) HexFormat.fromHexDigits(escape.group(1)));
        }
        return escape.group(2) != null
                ? escape.group(2)
                : new String(HexFormat.of().parseHex(escape.group().replace("%", "")), UTF_8);
    }
}
