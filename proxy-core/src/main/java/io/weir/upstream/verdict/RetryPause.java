package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.DateFormatter;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.util.Date;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of the pause that a node asks for, in a header, an error or the body of an answer. Pure and thread-safe.
 *
 * <p>Infura has {@code data.rate.backoff_seconds}, Chainstack {@code data.try_again_in} with a unit, Cloudflare {@code retry_after}.
 * Others say it in words, such as "try again in 10 seconds". A client may have written these words into its call, so a pause in words
 * counts up to a minute only.
 */
public final class RetryPause {

    private static final int MAX_CHARS = 4096;
    /** Upper bound of a pause; also the pause of a node that asks to be paid and names no time. */
    public static final int MAX_SECONDS = 3600;

    private static final int PAYMENT_REQUIRED = 402;
    private static final int MAX_SECONDS_IN_WORDS = 60;

    /** A number with its unit. */
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s{0,3}([^\\s\\d\"},.;:)<]{0,12})");

    /** Members with a number of seconds, or a time with its unit. An escaped quote belongs to a text. */
    private static final Pattern MEMBER = Pattern.compile(
            "(?<!\\\\)\"(?:backoff_seconds|retry_?after(?:_seconds)?|try_again_in)\"\\s{0,3}:\\s{0,3}\"?(?=\\d)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern WORDS = Pattern.compile(
            "\\b(?:(?:try again|retry|wait)\\s{1,3}(?:in|after|for)|retry-after:?)\\s{1,3}(?=\\d)",
            Pattern.CASE_INSENSITIVE);

    private RetryPause() {}

    /** Returns the pause in seconds of an error, or of an HTTP status, that names none; 0 if there is no such pause. */
    public static int preset(int codeOrStatus) {
        return codeOrStatus == PAYMENT_REQUIRED ? MAX_SECONDS : 0;
    }

    /** Returns the seconds of a {@code Retry-After}, which is a number or a date; 0 if it is neither. */
    public static int ofHeader(String value, long nowMillis) {
        String plain = value.strip();
        if (!plain.isEmpty() && plain.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return plain.length() > 4 ? MAX_SECONDS : Math.min(Integer.parseInt(plain), MAX_SECONDS);
        }
        Date date = DateFormatter.parseHttpDate(plain);
        if (date == null) {
            return 0;
        }
        long seconds = TimeUnit.MILLISECONDS.toSeconds(date.toInstant().toEpochMilli() - nowMillis + 999);
        return (int) Math.max(0, Math.min(seconds, MAX_SECONDS));
    }

    /** Returns the pause in seconds of a rate limit: the one that the error names, or the preset one of its code. */
    public static int ofRateLimit(RpcError error) {
        int named = seconds(error);
        return named > 0 ? named : preset(error.code());
    }

    /** Returns the pause in seconds, rounded up; 0 if the error names none. */
    public static int seconds(RpcError error) {
        RawJson data = error.data();
        int member = data == null ? 0 : seconds(MEMBER, front(data.array(), data.offset(), data.length()), MAX_SECONDS);
        return member > 0 ? member : seconds(WORDS, error.message(), MAX_SECONDS_IN_WORDS);
    }

    /** Returns the same of the body of an answer, which need not be JSON. */
    public static int seconds(byte[] body, int length) {
        String text = front(body, 0, length);
        int member = seconds(MEMBER, text, MAX_SECONDS);
        return member > 0 ? member : seconds(WORDS, text, MAX_SECONDS_IN_WORDS);
    }

    private static String front(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, Math.min(length, MAX_CHARS), ISO_8859_1);
    }

    private static int seconds(Pattern pattern, String text, int max) {
        String front = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
        Matcher found = pattern.matcher(front);
        return found.find() ? (int) Math.min(max, Math.ceil(duration(front, found.end()))) : 0;
    }

    /** Returns the seconds of a number with its unit, or of several of them, as Go writes them: {@code 10m0s}. */
    private static double duration(String text, int from) {
        Matcher part = PART.matcher(text).region(from, text.length());
        double seconds = 0;
        while (part.lookingAt()) {
            seconds += Double.parseDouble(part.group(1)) * unit(part.group(2));
            if (part.group(2).isEmpty()) {
                break;
            }
            part.region(part.end(), text.length());
        }
        return seconds;
    }

    /** Returns the seconds of a unit. A number without one is in seconds; an unknown one is taken for a small one. */
    private static double unit(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "", "s", "sec", "secs", "second", "seconds" -> 1;
            case "m", "min", "mins", "minute", "minutes" -> 60;
            case "h", "hour", "hours" -> 3600;
            default -> 0.001;
        };
    }
}
