package io.weir.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.PieceScanner;
import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Logs that arrive in pieces and are compared with those before them, against the same logs read one by one by the grammar. */
class LogReaderTest {

    private static final int LISTS = 20_000;
    private static final List<String> ODD =
            List.of("\"", "\\", "{", "}", "[", "]", ",", ":", " ", "A", "é", "\\u0061", "\u007f");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private int alike;

    /** Says what it was shown. */
    private final class Shown implements ElementReader {

        private final LogReader reader = new LogReader();
        private final List<String> logs = new ArrayList<>();

        @Override
        public int pass(byte[] text, int from, int to) {
            int end = reader.readAlike(text, from, to);
            if (end >= 0) {
                alike++;
                logs.add(values(reader));
            }
            return end;
        }

        @Override
        public void take(byte[] text, int from, int to) {
            logs.add(reader.read(text, from, to) ? values(reader) : "unreadable");
        }

        @Override
        public void takeOther() {
            logs.add("other");
        }
    }

    private static String values(LogReader log) {
        return log.blockNumber() + " " + log.blockHash() + " " + log.transactionIndex() + " " + log.index() + " "
                + log.removed()
                + IntStream.range(0, log.itemCount()).mapToObj(log::item).toList();
    }

    private String inPieces(byte[] text) {
        Shown shown = new Shown();
        PieceScanner scanner = new PieceScanner();
        scanner.show(shown);
        int most = 1 + random.nextInt(1 + random.nextInt(20_000));
        try {
            for (int at = 0; at < text.length && !scanner.ended(); ) {
                int length = Math.min(text.length - at, 1 + random.nextInt(most));
                byte[] piece = new byte[length + 9];
                Arrays.fill(piece, (byte) '"');
                System.arraycopy(text, at, piece, 1, length);
                at += scanner.pass(piece, 1, 1 + length, at + length < text.length && random.nextBoolean()) - 1;
                Arrays.fill(piece, (byte) 'x');
            }
        } catch (JsonSyntaxException e) {
            return "no JSON";
        }
        return scanner.ended() ? shown.logs.toString() : "cut off";
    }

    /** The same by the scanner of whole texts, and with a new reader for each log. */
    private static String whole(byte[] text) {
        JsonScanner scanner = JsonScanner.delimiters(text, 0, text.length);
        try {
            scanner.peek();
            scanner.skip();
        } catch (JsonSyntaxException e) {
            return e.kind() == JsonSyntaxException.Kind.TRUNCATED ? "cut off" : "no JSON";
        }
        List<String> logs = new ArrayList<>();
        eachElement(
                text,
                from -> {
                    JsonScanner log = JsonScanner.delimiters(text, from, text.length - from);
                    try {
                        log.skip();
                    } catch (JsonSyntaxException e) {
                        throw new AssertionError(e);
                    }
                    LogReader reader = new LogReader();
                    logs.add(reader.read(text, from, log.position()) ? values(reader) : "unreadable");
                },
                () -> logs.add("other"));
        return logs.toString();
    }

    /** Goes through the objects of a list, up to anything else. */
    private static void eachElement(byte[] text, Consumer<Integer> object, Runnable other) {
        int depth = 0;
        boolean inString = false;
        for (int at = 0; at < text.length; at++) {
            byte b = text[at];
            if (inString) {
                at += b == '\\' ? 1 : 0;
                inString = b != '"';
            } else if (depth == 1 && b == '{') {
                object.accept(at);
                depth++;
            } else if (depth == 1 && ", \t\r\n]".indexOf(b) < 0) {
                other.run();
                return;
            } else {
                inString = b == '"';
                depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
                if (depth == 0) {
                    return;
                }
            }
        }
    }

    @Test
    void logsInPiecesAreReadAsTheyAreByTheGrammar() {
        for (int i = 0; i < LISTS; i++) {
            byte[] text = list();
            String whole = whole(text);
            // A character that is cut off at the end is no JSON for one, and may go on for the other.
            assertThat(inPieces(text))
                    .as("seed %d, list %d: %s", seed, i, new String(text, UTF_8))
                    .isIn(whole, whole.equals("no JSON") ? "cut off" : whole);
        }
        assertThat(alike).isGreaterThan(LISTS / 4);
    }

    private byte[] list() {
        StringBuilder text = new StringBuilder(
                IntStream.range(0, random.nextInt(8)).mapToObj(i -> log()).collect(Collectors.joining(",", "[", "]")));
        for (int i = random.nextInt(3) - 1; i > 0; i--) {
            int at = 1 + random.nextInt(text.length() - 1);
            text.replace(at, at + random.nextInt(2), ODD.get(random.nextInt(ODD.size())));
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        if (random.nextInt(20) == 0) {
            bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private String log() {
        String topics = IntStream.range(0, random.nextInt(6))
                .mapToObj(i -> "\"" + hex(64) + '"')
                .collect(Collectors.joining(",", "[", "]"));
        String log = "\"blockHash\":\"" + hex(64) + "\",\"blockNumber\":\"" + number() + "\",\"blockTimestamp\":\""
                + number()
                + "\",\"transactionIndex\":\"" + number() + "\",\"transactionHash\":\"" + hex(64) + "\",\"address\":\""
                + hex(40)
                + "\",\"topics\":" + topics + ",\"data\":\""
                + hex(random.nextInt(20) == 0 ? 2_000 : 64 * random.nextInt(3))
                + "\",\"logIndex\":\"" + number() + "\",\"removed\":" + (random.nextInt(30) == 0) + '}';
        return switch (random.nextInt(30)) {
            case 0 -> "{\"more\":[1, {}]," + log;
            case 1 -> "{\"more\":\"" + hex(7) + "\"," + log;
            case 2 -> "{\"logIndex\":\"0x1\"," + log;
            default -> '{' + log;
        };
    }

    private String hex(int digits) {
        String hex = "0x" + "0123456789abcdef".charAt(random.nextInt(4)) + "a".repeat(Math.max(0, digits - 1));
        return random.nextInt(100) == 0 ? hex.toUpperCase(Locale.ROOT) : hex;
    }

    private String number() {
        return "0x" + Integer.toHexString(random.nextInt(random.nextBoolean() ? 3 : 70_000));
    }
}
