package io.weir.bench.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * A client that asks for one large result, and reads it at a bounded rate.
 *
 * @param number differs for each client, since equal calls would share one stream, which waits for the slowest only for a while
 * @param address of the proxy or the node
 * @param megabytesPerSecond that it reads at most
 */
record SlowClient(int number, URI address, int megabytesPerSecond) {

    private static final int TIMEOUT_MILLIS = 60_000;

    /**
     * What a client got.
     *
     * @param firstByteNanos from the call to the first byte of the answer's body
     */
    record Got(long firstByteNanos, long length, long checksum) {}

    /** Connects, waits for the others, calls and reads to the end. */
    Got call(CountDownLatch connected) throws IOException, InterruptedException {
        byte[] call = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[{\"after\":" + number
                        + "}]}")
                .getBytes(US_ASCII);
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setFixedLengthStreamingMode(call.length);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.connect();
        connected.countDown();
        connected.await();
        long start = System.nanoTime();
        connection.getOutputStream().write(call);
        try (InputStream in = connection.getInputStream()) {
            byte[] buffer = new byte[1 << 16];
            CRC32 sum = new CRC32();
            int read = in.read(buffer, 0, 1);
            long first = System.nanoTime() - start;
            long length = 0;
            for (; read > 0; read = in.read(buffer)) {
                sum.update(buffer, 0, read);
                length += read;
                LockSupport.parkNanos(length * 1_000 / megabytesPerSecond - (System.nanoTime() - start));
            }
            return new Got(first, length, sum.getValue());
        } finally {
            connection.disconnect();
        }
    }
}
