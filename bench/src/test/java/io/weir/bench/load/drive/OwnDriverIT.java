package io.weir.bench.load.drive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import io.weir.bench.load.node.HttpMessage;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OwnDriverIT {

    private static final long STALL_MILLIS = 400;
    private static final long HALF_A_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS / 2);
    private static final Traffic.Same TRAFFIC = Calls.small();

    private final AnswerCheck check = new AnswerCheck(new Answers(new BenchChain())::result);
    private final byte[] right = check.expected(TRAFFIC.body());

    @Test
    void aStallCountsForAllRequestsThatShouldHaveLeftMeanwhile() throws Exception {
        // One of 200 requests takes 0.4 s; at 200 a second some 80 are due meanwhile, of which half wait for half as
        // long.
        try (StallingServer server = new StallingServer(right, 50);
                OwnDriver driver = new OwnDriver(check)) {
            Outcome outcome = driver.http(server.target(), TRAFFIC, LoadPlan.constant(1, 200, Duration.ofSeconds(1)));

            assertThat(outcome.firstProblem()).isNull();
            assertThat(outcome.requests()).isEqualTo(200);
            long felt = slow(outcome.latencies());
            long slowByThemselves = slow(outcome.services());
            assertThat(slowByThemselves).isPositive();
            assertThat(felt).isGreaterThan(slowByThemselves + 20);
        }
    }

    @Test
    void aWrongAnswerIsNoticed() throws Exception {
        byte[] wrong = new String(right, ISO_8859_1).replace("0x", "0X").getBytes(ISO_8859_1);
        try (StallingServer server = new StallingServer(wrong, -1);
                OwnDriver driver = new OwnDriver(check)) {
            Outcome outcome = driver.http(server.target(), TRAFFIC, LoadPlan.burst(1, Duration.ofSeconds(5)));

            assertThat(outcome.requests()).isZero();
            assertThat(outcome.problems()).isEqualTo(1);
            assertThat(outcome.firstProblem()).contains("eth_getBalance", "expected");
        }
    }

    @Test
    void whereNobodyListensTheRunEndsAtOnceWithProblems() throws Exception {
        // Bound and not listening: connections are refused, and nobody else gets the port.
        try (Socket taken = new Socket();
                OwnDriver driver = new OwnDriver(check)) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Target target = new Target(taken.getLocalPort(), "/");
            Outcome outcome = driver.http(target, TRAFFIC, LoadPlan.closed(2, Duration.ofSeconds(60)));

            assertThat(outcome.requests()).isZero();
            assertThat(outcome.problems()).isEqualTo(2);
        }
    }

    private static long slow(Histogram histogram) {
        return histogram.getCountBetweenValues(HALF_A_STALL_NANOS, histogram.getHighestTrackableValue());
    }

    /** Answers one connection always the same, and one of its requests late. */
    private static final class StallingServer implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final CountDownLatch never = new CountDownLatch(1);
        private final AtomicInteger requests = new AtomicInteger();

        StallingServer(byte[] answer, int late) throws IOException {
            Thread thread = new Thread(() -> serve(answer, late), "stalling server");
            thread.setDaemon(true);
            thread.start();
        }

        Target target() {
            return new Target(socket.getLocalPort(), "/");
        }

        private void serve(byte[] answer, int late) {
            String head = "HTTP/1.1 200 OK\r\nContent-Length: " + answer.length + "\r\n\r\n";
            try (Socket client = socket.accept()) {
                client.setTcpNoDelay(true);
                HttpMessage message = new HttpMessage();
                ByteBuf in = Unpooled.buffer();
                InputStream bytes = client.getInputStream();
                while (in.writeBytes(bytes, 4096) >= 0) {
                    while (message.read(in)) {
                        if (requests.incrementAndGet() == late) {
                            never.await(STALL_MILLIS, TimeUnit.MILLISECONDS);
                        }
                        client.getOutputStream().write((head + new String(answer, ISO_8859_1)).getBytes(ISO_8859_1));
                    }
                }
            } catch (IOException expected) {
                // The client is gone.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
