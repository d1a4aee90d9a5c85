package io.weir.upstream.link;

import java.util.List;
import java.util.Random;

/** Answers of many shapes, most of which have the head of an earlier one, exactly or nearly. */
final class AnswerShapes {

    private static final List<String> LINES = List.of(
            "Date: Thu, 26 Nov 2026 10:00:00 GMT",
            "Date: Thu, 26 Nov 2026 10:00:01 GMT",
            "Content-Type: application/json",
            "Connection: keep-alive",
            "Connection: close",
            "Vary: Origin",
            "Content-Encoding: gzip",
            "Retry-After: 7",
            "A: content-length: 5");

    private static final List<String> LENGTH_NAMES =
            List.of("Content-Length: ", "content-length:", "CONTENT-LENGTH:  ");

    private static final List<String> CHANGES = List.of(
            "\r\n\r\n>\r\nTransfer-Encoding: chunked\r\n\r\n",
            "\r\n\r\n>\r\nContent-Length: 3\r\n\r\n",
            "\r\n>\n",
            "200 OK>204 No Content",
            "200 OK>304 Not Modified",
            "200 OK>500 Oh",
            "200 OK>429 Oh",
            "200 OK>100 Continue",
            "200 OK>101 Switching Protocols",
            "200 OK>200 Fine",
            "HTTP/1.1>HTTP/1.0",
            "HTTP/1.1>\r\nHTTP/1.1",
            "HTTP/1.1>HTTP/9",
            "ength: >ength: 0",
            "ength: >ength: +",
            "ength: >ength: -",
            "ength: >ength:\t",
            "ength>ength ",
            "ength>engthy",
            "\r\n\r\n> \r\n\r\n");

    private AnswerShapes() {}

    /** Returns some answers in a row, the last of which may be cut off. */
    static String stream(Random random) {
        StringBuilder stream = new StringBuilder();
        String head = head(random);
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            if (random.nextInt(10) == 0) {
                head = head(random);
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(9);
            String text = head.replace("LENGTH", Integer.toString(length));
            if (random.nextInt(8) == 0) {
                String[] change = CHANGES.get(random.nextInt(CHANGES.size())).split(">");
                text = text.replace(change[0], change[1]);
            }
            stream.append(text).append(text.contains("chunked") ? chunks(random) : "b".repeat(length));
        }
        return random.nextInt(4) == 0
                ? stream.substring(0, 1 + random.nextInt(stream.length() - 1))
                : stream.toString();
    }

    private static String head(Random random) {
        StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\n");
        int place = random.nextInt(4);
        for (int i = 0; i < 4; i++) {
            if (i == place) {
                head.append(LENGTH_NAMES.get(random.nextInt(LENGTH_NAMES.size())))
                        .append("LENGTH\r\n");
            } else if (random.nextBoolean()) {
                // The first lines of the list are the usual ones.
                head.append(LINES.get(random.nextInt(random.nextInt(3) == 0 ? LINES.size() : 4)))
                        .append("\r\n");
            }
        }
        return head.append("\r\n").toString();
    }

    private static String chunks(Random random) {
        int length = 1 + random.nextInt(9);
        return length + "\r\n" + "c".repeat(length) + "\r\n0\r\n\r\n";
    }
}
