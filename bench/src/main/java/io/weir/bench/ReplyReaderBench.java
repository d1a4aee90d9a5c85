package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Slicing a node's answer: finding where the result stands, by the size of the answer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReplyReaderBench {

    /** About how many bytes the answer has. */
    @Param({"100", "4096", "175000", "1000000"})
    public int bytes;

    private byte[] body = new byte[0];

    /** Makes an answer whose result is an array of log-like objects. */
    @Setup
    public void makeAnswer() {
        StringBuilder result = new StringBuilder("[");
        String log = "{\"address\":\"0xdac17f958d2ee523a2206206994597c13d831ec7\",\"topics\":["
                + "\"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef\"],\"data\":\"0x01\"}";
        while (result.length() < bytes - 40) {
            result.append(result.length() > 1 ? "," : "").append(bytes < 200 ? "\"0x1234567890\"" : log);
        }
        body = ("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result + "]}").getBytes(UTF_8);
    }

    /** From the body to the slice of its result. */
    @Benchmark
    public NodeReply slice() throws MalformedReplyException {
        return ReplyReader.read(body, 0, body.length);
    }
}
