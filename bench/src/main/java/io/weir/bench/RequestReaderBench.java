package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestReader;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Reading a request body: one call, and a batch of a hundred, with the names of methods that the proxy knows. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestReaderBench {

    private static final int DIFFERENT = 100;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByHash\",\"params\":"
            + "[\"0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6\",true]}";

    private final RequestReader reader = new RequestReader(
            1000,
            NameTable.of(MethodCatalogue.ethereum().all().stream()
                    .map(MethodFacts::name)
                    .toList()));
    private final byte[][] singles = new byte[DIFFERENT][];
    private final byte[] batch;
    private int next;

    public RequestReaderBench() {
        List<String> calls = new ArrayList<>();
        for (int i = 0; i < DIFFERENT; i++) {
            String call = CALL.replace("\"id\":1", "\"id\":" + i * i);
            singles[i] = call.getBytes(UTF_8);
            calls.add(call);
        }
        batch = calls.toString().getBytes(UTF_8);
    }

    /** One call of about 150 bytes. */
    @Benchmark
    public RequestBody single() {
        next = (next + 1) % DIFFERENT;
        return reader.read(singles[next], 0, singles[next].length);
    }

    /** A hundred such calls. */
    @Benchmark
    public RequestBody batchOf100() {
        return reader.read(batch, 0, batch.length);
    }
}
