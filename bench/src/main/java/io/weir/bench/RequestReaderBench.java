package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestReader;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Reading a request body: one call, and a batch of a hundred. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestReaderBench {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByHash\",\"params\":"
            + "[\"0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6\",true]}";

    private final RequestReader reader = new RequestReader(1000);
    private final byte[] single = CALL.getBytes(UTF_8);
    private final byte[] batch = ("[" + String.join(",", Collections.nCopies(100, CALL)) + "]").getBytes(UTF_8);

    /** One call of about 150 bytes. */
    @Benchmark
    public RequestBody single() {
        return reader.read(single, 0, single.length);
    }

    /** A hundred such calls. */
    @Benchmark
    public RequestBody batchOf100() {
        return reader.read(batch, 0, batch.length);
    }
}
