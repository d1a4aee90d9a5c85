package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.bench.fixture.InProcessNetwork;
import io.weir.jsonrpc.ReplyText;
import io.weir.pipeline.RequestAnswer;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call from its decoded body to its encoded answer, through all stages of a network. Memory answers it, or a node in this
 * process does at once. Runs on the network's event loop, so that a thousand calls are one turn of it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PipelineBench {

    private static final int CALLS = 1000;
    private static final String HIT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBalance\",\"params\":"
            + "[\"0x00000000219ab540356cbb839cbe05303d7705fa\",\"0x10\"]}";
    private static final String FORWARD = HIT.replace("\"0x10\"", "\"pending\"");

    private final byte[] hit = HIT.getBytes(UTF_8);
    private final byte[] forward = FORWARD.getBytes(UTF_8);
    private final byte[] batch = ("[" + String.join(",", Collections.nCopies(100, HIT)) + "]").getBytes(UTF_8);
    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(1 << 16);
    private final ByteBuf request = PooledByteBufAllocator.DEFAULT.directBuffer(1 << 10);

    @SuppressWarnings("NullAway.Init") // By the set-up.
    private InProcessNetwork network;

    @SuppressWarnings("NullAway.Init") // Likewise.
    private EmbeddedChannel connection;

    @Setup
    public void begin() throws Exception {
        network = new InProcessNetwork();
        onLoop(() -> network.answer(hit));
        onLoop(() -> {
            String answer = String.valueOf(network.answer(hit));
            if (!answer.contains("Result")) {
                throw new IllegalStateException("hit: " + answer + " (expected: a result)");
            }
            return answer;
        });
        request.writeCharSequence(
                "POST /v3/demo HTTP/1.1\r\nHost: 127.0.0.1:8545\r\nContent-Type: application/json\r\nContent-Length: "
                        + hit.length + "\r\n\r\n" + HIT,
                UTF_8);
        connection = network.connection();
    }

    @TearDown
    public void end() {
        out.release();
        request.release();
        connection.finishAndReleaseAll();
        network.close();
    }

    /** One call that is in memory. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int hit() throws Exception {
        return onLoop(() -> times(CALLS, hit));
    }

    /** A batch of a hundred calls that are in memory; the time is that of one call. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int batchOf100Hits() throws Exception {
        CompletableFuture<Integer> bytes = new CompletableFuture<>();
        network.loop().execute(() -> batches(CALLS / 100, 0, bytes));
        return bytes.get();
    }

    /** Answers batches one after the other: a batch leaves the event loop to others now and then. */
    private void batches(int count, int bytes, CompletableFuture<Integer> done) {
        if (count == 0) {
            done.complete(bytes);
        } else {
            network.answerLater(batch, answer -> batches(count - 1, bytes + written(answer), done));
        }
    }

    /** One call that is in memory, with HTTP around it: from a request's bytes to the answer's. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int hitOverHttp() throws Exception {
        return onLoop(() -> {
            int bytes = 0;
            for (int i = 0; i < CALLS; i++) {
                connection.writeInbound(request.retainedDuplicate());
                ByteBuf answer = connection.readOutbound();
                bytes += answer.readableBytes();
                answer.release();
            }
            return bytes;
        });
    }

    /** One call that is sent to the node. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int forward() throws Exception {
        return onLoop(() -> times(CALLS, forward));
    }

    private int times(int count, byte[] body) {
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            // A body is given up by the sender: its bytes are those of an array that nobody writes to.
            bytes += written(network.answer(body));
        }
        return bytes;
    }

    private int written(RequestAnswer answer) {
        ReplyText text = answer.text();
        if (text == null) {
            return 0;
        }
        out.clear();
        text.writeTo(out::writeBytes);
        return text.length();
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        return network.loop().submit(task).get();
    }
}
