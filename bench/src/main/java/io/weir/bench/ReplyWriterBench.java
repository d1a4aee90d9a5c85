package io.weir.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.RequestAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Writing an answer: its length told beforehand, then its text put into a buffer outside the heap. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReplyWriterBench {

    private static final int DIFFERENT = 64;
    private static final int LARGE_BYTES = 1_000_000;

    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(LARGE_BYTES + 1000);
    private final RpcReply large = new RpcReply.Result(RawJson.of("\"0x" + "5".repeat(LARGE_BYTES) + '"'));
    private final RpcReply error = RpcReply.failure(ErrorCode.INVALID_PARAMS
            .error("execution reverted: ERC20: transfer amount exceeds \"balance\"")
            .withData(RawJson.of("\"0x08c379a0" + "0".repeat(192) + '"')));
    private final List<RawJson> ids = new ArrayList<>();
    private final List<RpcReply> words = new ArrayList<>();
    private final RequestAnswer batch;
    private int next;

    public ReplyWriterBench() {
        for (int i = 0; i < 100; i++) {
            ids.add(RawJson.of(Integer.toString(i * i)));
            words.add(new RpcReply.Result(RawJson.of("\"0x" + Long.toHexString(1_000_000_007L * i) + '"')));
        }
        batch = new RequestAnswer.Many(List.copyOf(ids), List.copyOf(words));
    }

    /** Gives the buffer back. */
    @TearDown
    public void end() {
        out.release();
    }

    /** One small result. */
    @Benchmark
    public ByteBuf single() {
        next = (next + 1) % DIFFERENT;
        return write(new RequestAnswer.One(ids.get(next), words.get(next), null));
    }

    /** A hundred small results in one array. */
    @Benchmark
    public ByteBuf batchOf100() {
        return write(batch);
    }

    /** A result of a megabyte, which is copied once. */
    @Benchmark
    public ByteBuf largeResult() {
        next = (next + 1) % DIFFERENT;
        return write(new RequestAnswer.One(ids.get(next), large, null));
    }

    /** A node's error with data. */
    @Benchmark
    public ByteBuf error() {
        next = (next + 1) % DIFFERENT;
        return write(new RequestAnswer.One(ids.get(next), error, null));
    }

    private ByteBuf write(RequestAnswer answer) {
        Objects.requireNonNull(answer.text()).writeTo(out.clear()::writeBytes);
        return out;
    }
}
