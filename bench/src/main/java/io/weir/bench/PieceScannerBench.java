package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.PieceScanner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Passing a value of 1 MiB in pieces, as a large result goes on while it arrives, and as a whole: an operation is a byte. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(PieceScannerBench.BYTES)
public class PieceScannerBench {

    static final int BYTES = 1 << 20;

    private static final String LOG = "{\"address\":\"0xdac17f958d2ee523a2206206994597c13d831ec7\",\"topics\":["
            + "\"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef\","
            + "\"0x0000000000000000000000005041ed759dd4afc3a72b8192c143f72f4724081a\"],"
            + "\"data\":\"0x00000000000000000000000000000000000000000000000000000000000186a0\","
            + "\"blockNumber\":\"0x1312d00\",\"logIndex\":\"0x1f\",\"removed\":false}";

    /** Form of the value. */
    public enum Form {
        /** One hexadecimal string. */
        HEX,
        /** An array of logs. */
        LOGS
    }

    /** The value. */
    @State(Scope.Thread)
    public static class Value {

        /** The value's form. */
        @Param
        public Form form = Form.HEX;

        private byte[] text = new byte[0];

        /** Makes a value of exactly {@link #BYTES}. */
        @Setup
        public void make() {
            StringBuilder made = new StringBuilder(form == Form.HEX ? "\"0x" : "[");
            while (form == Form.LOGS && made.length() + LOG.length() < BYTES - LOG.length()) {
                made.append(LOG).append(',');
            }
            String end = form == Form.HEX ? "\"" : "\"]";
            made.append(form == Form.HEX ? "" : "\"").append("a".repeat(BYTES - made.length()));
            made.setLength(BYTES - end.length());
            text = made.append(end).toString().getBytes(UTF_8);
        }
    }

    /** The pieces in which the value comes. */
    @State(Scope.Thread)
    public static class Pieces {

        /** Bytes of a piece. */
        @Param({"1", "1024", "65536"})
        public int bytes = 1;
    }

    /** The value in one array, in pieces. */
    @Benchmark
    public boolean pieces(Value value, Pieces pieces) throws JsonSyntaxException {
        PieceScanner scanner = new PieceScanner();
        for (int at = 0; at < BYTES; at += pieces.bytes) {
            scanner.pass(value.text, at, at + pieces.bytes, false);
        }
        return ended(scanner.ended());
    }

    /** The value as a whole. */
    @Benchmark
    public boolean whole(Value value) throws JsonSyntaxException {
        JsonScanner scanner = JsonScanner.delimiters(value.text, 0, BYTES);
        scanner.skip();
        return ended(scanner.position() == BYTES);
    }

    private static boolean ended(boolean well) {
        if (!well) {
            throw new IllegalStateException("value: not passed (expected: passed to its end)");
        }
        return true;
    }
}
