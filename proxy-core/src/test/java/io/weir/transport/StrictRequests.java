package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads requests by the plainest grammar of RFC 9112, and stops where one is not of it: a listener may refuse that one, but must
 * not refuse those before as unreadable. Immutable.
 */
final class StrictRequests {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String FIELD = TOKEN + ":[ \t]*(?:[!-~](?:[ \t!-~]*[!-~])?)?[ \t]*\r\n";
    private static final Pattern LINE =
            Pattern.compile("([A-Z]{1,20}) (/(?:%[2-6][0-9A-Fa-f]|%C3%BC|[!-~&&[^#%]]){0,150}) HTTP/1\\.1\r\n");
    private static final Pattern HEAD = Pattern.compile("((?:" + FIELD + "){0,20}+)\r\n");
    private static final Pattern HOST = Pattern.compile("(?imd)^host:[ \t]*[a-z0-9.:-]+[ \t]*\r$");
    private static final Pattern LENGTH = Pattern.compile("(?imd)^content-length:[ \t]*(\\d{1,9})[ \t]*\r$");
    private static final Pattern CODING = Pattern.compile("(?imd)^transfer-encoding:[ \t]*chunked[ \t]*\r$");
    private static final Pattern FRAMING = Pattern.compile("(?imd)^(?:host|content-length|transfer-encoding):");
    private static final Pattern OTHERWISE = Pattern.compile("(?imd)^(?:upgrade|expect|connection):");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,6})\r\n");
    private static final int MAX_HEAD = 300;

    private final String text;
    private int at;
    private int count;
    private boolean inDoubt;
    private boolean headOfAnother;

    StrictRequests(byte[] bytes) {
        text = new String(bytes, ISO_8859_1);
        while (!inDoubt && !headOfAnother && at < text.length()) {
            one();
        }
    }

    /** How many whole requests it read. */
    int count() {
        return count;
    }

    /** Whether what follows those is not plainly a request, or may not be one yet. */
    boolean inDoubt() {
        return inDoubt;
    }

    /** Whether the head of another is there whose body is not. */
    boolean hasHeadOfAnother() {
        return headOfAnother;
    }

    /** How many requests there may be in the rest, at most. */
    int linesInDoubt() {
        return 1 + (int) text.substring(at).chars().filter(c -> c == '\n').count();
    }

    private void one() {
        Matcher line = LINE.matcher(text).region(at, text.length());
        if (!line.lookingAt()) {
            inDoubt = true;
            return;
        }
        Matcher head = HEAD.matcher(text).region(line.end(), text.length());
        if (!head.lookingAt() || head.end() - line.end() > MAX_HEAD) {
            inDoubt = true;
            return;
        }
        String fields = head.group(1);
        long framing = FRAMING.matcher(fields).results().count();
        Matcher length = LENGTH.matcher(fields);
        boolean hasLength = length.find();
        boolean chunked = CODING.matcher(fields).find();
        int known = 1 + (hasLength ? 1 : 0) + (chunked ? 1 : 0);
        if (framing != known
                || !HOST.matcher(fields).find()
                || (hasLength && chunked)
                || OTHERWISE.matcher(fields).find()) {
            inDoubt = true;
        } else if (chunked) {
            chunks(head.end());
        } else {
            sized(head.end(), hasLength ? Integer.parseInt(length.group(1)) : 0);
        }
    }

    private void sized(int from, int length) {
        if (length > text.length() - from) {
            headOfAnother = true;
        } else {
            count++;
            at = from + length;
        }
    }

    private void chunks(int from) {
        int next = from;
        while (true) {
            Matcher chunk = CHUNK.matcher(text).region(next, text.length());
            if (!chunk.lookingAt()) {
                inDoubt = true;
                return;
            }
            int size = Integer.parseInt(chunk.group(1), 16);
            int end = chunk.end() + size;
            if (!text.startsWith("\r\n", end)) {
                inDoubt = true;
                return;
            }
            next = end + 2;
            if (size == 0) {
                count++;
                at = next;
                return;
            }
        }
    }
}
