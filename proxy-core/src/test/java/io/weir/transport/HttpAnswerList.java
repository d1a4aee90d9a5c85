package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HTTP answers of a listener, read strictly to their end. Immutable.
 *
 * @param finals every answer but those of status 1xx
 * @param rest the bytes after a status 101, which are not HTTP
 */
record HttpAnswerList(List<Answer> finals, String rest) {

    private static final Pattern HEAD =
            Pattern.compile("HTTP/1\\.1 (\\d{3}) [ -~]+\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+: [ -~]*\r\n)*)\r\n");
    private static final Pattern LENGTH = Pattern.compile("(?imd)^content-length: (\\d+)\r$");
    private static final Pattern CLOSES = Pattern.compile("(?imd)^connection: close\r$");

    /** One answer. */
    record Answer(int status, boolean closes, String body) {}

    /** The same without its last answer, which says that something could not be read, and closes. */
    HttpAnswerList withoutLast() {
        Answer last = finals.get(finals.size() - 1);
        assertThat(last.closes()).as("closes behind what could not be read").isTrue();
        assertThat(last.status()).as("status of what could not be read").isIn(400, 431);
        return new HttpAnswerList(finals.subList(0, finals.size() - 1), rest);
    }

    int size() {
        return finals.size();
    }

    /**
     * Reads everything.
     *
     * @param headRequested whether an answer may be one to HEAD, which tells the length of a body and has none
     */
    static HttpAnswerList read(byte[] bytes, boolean headRequested) {
        String text = new String(bytes, ISO_8859_1);
        List<Answer> finals = new ArrayList<>();
        Matcher head = HEAD.matcher(text);
        int at = 0;
        while (at < text.length()) {
            assertThat(head.region(at, text.length()).lookingAt())
                    .as("an answer begins at %d of: %s", at, text)
                    .isTrue();
            int status = Integer.parseInt(head.group(1));
            Matcher length = LENGTH.matcher(head.group(2));
            boolean hasLength = length.find();
            boolean bare = status < 200 || status == 204;
            assertThat(hasLength).as("a length, in: %s", text).isEqualTo(!bare);
            boolean headOnly =
                    headRequested && (head.end() == text.length() || text.startsWith("HTTP/1.1 ", head.end()));
            int end = head.end() + (bare || headOnly ? 0 : Integer.parseInt(length.group(1)));
            assertThat(end).as("end of an answer, in: %s", text).isLessThanOrEqualTo(text.length());
            if (status == 101) {
                return new HttpAnswerList(finals, text.substring(end));
            }
            if (status >= 200) {
                boolean closes = CLOSES.matcher(head.group(2)).find();
                finals.add(new Answer(status, closes, text.substring(head.end(), end)));
            }
            at = end;
        }
        return new HttpAnswerList(finals, "");
    }
}
