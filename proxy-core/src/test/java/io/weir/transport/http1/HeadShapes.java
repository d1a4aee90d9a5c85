package io.weir.transport.http1;

import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Random;

/** Requests of many shapes: number and length of lines, chunks, trailers, empty lines, broken ends. */
final class HeadShapes {

    private HeadShapes() {}

    /** A request, which may be broken or unfinished. */
    static String random(Random random) {
        StringBuilder text = new StringBuilder("\r\n".repeat(random.nextInt(8) == 0 ? random.nextInt(900) : 0));
        text.append(random.nextInt(10) == 0 ? "GET /" + "x".repeat(random.nextInt(1500)) : "POST /")
                .append(" HTTP/1.1\r\n");
        text.append("Host: a\r\n");
        lines(random, text);
        if (random.nextBoolean()) {
            text.append("Transfer-Encoding: chunked\r\n\r\n");
            for (int i = random.nextInt(30); i > 0; i--) {
                int length = 1 + random.nextInt(20);
                text.append(Integer.toHexString(length));
                text.append(random.nextBoolean() ? ";a=" + "b".repeat(random.nextInt(500)) : "")
                        .append("\r\n");
                text.append(" ".repeat(length)).append("\r\n");
            }
            text.append("0\r\n");
            lines(random, text);
            text.append("\r\n");
        } else {
            int length = random.nextInt(3000);
            text.append("Content-Length: ").append(length).append("\r\n\r\n").append(" ".repeat(length));
        }
        return random.nextInt(3) == 0 ? text.substring(0, random.nextInt(text.length())) : text.toString();
    }

    private static void lines(Random random, StringBuilder text) {
        int most = random.nextBoolean() ? 40 : 6;
        for (int i = random.nextInt(most); i > 0; i--) {
            String value = random.nextInt(4) == 0 ? "v".repeat(random.nextInt(300)) : "";
            text.append(random.nextInt(60) == 0 ? " folded" : "a:" + value).append("\r\n");
        }
    }

    /** Header lines of a message, or trailer lines. */
    static int lines(HttpObject part) {
        if (part instanceof HttpRequest request) {
            return request.headers().size();
        }
        return part instanceof LastHttpContent last ? last.trailingHeaders().size() : 0;
    }

    /** Whether a whole head, or the part of one that is there, has more lines or bytes than allowed. */
    static boolean isOverBounds(String request, int maxLines, int maxBytes) {
        String trimmed = request.replaceFirst("^(\r\n)+", "");
        // Bytes that come with the first bytes of the request line are not counted again.
        if (request.length() - trimmed.length() > 2 * maxBytes) {
            return true;
        }
        int end = trimmed.indexOf("\r\n\r\n");
        String head = end < 0 ? trimmed : trimmed.substring(0, end + 2);
        String[] all = head.split("\r\n", -1);
        int bytes = 0;
        for (int i = 1; i < all.length; i++) {
            bytes += all[i].length();
        }
        // The text behind the last line end is no whole line.
        return all[0].length() > maxBytes + 1 || bytes > maxBytes + 1 || all.length - 2 > maxLines;
    }
}
