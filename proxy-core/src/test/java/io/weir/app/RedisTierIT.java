package io.weir.app;

import static io.weir.app.RedisHistory.awaitUp;
import static io.weir.app.RedisHistory.lookups;
import static io.weir.app.RedisHistory.purge;
import static io.weir.app.RedisHistory.status;
import static io.weir.app.RedisHistory.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import io.weir.cache.tier.EntryCodec;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Proxies that share a real Redis, which may lie. */
final class RedisTierIT {

    /** Position of the length of the result, uncompressed, in an entry. */
    private static final int VALUE_LENGTH = 30;

    /** Position of its length as stored. */
    private static final int STORED_LENGTH = 34;

    private RedisHistory history;

    @BeforeEach
    void start() throws IOException {
        history = new RedisHistory();
    }

    @AfterEach
    void stop() {
        if (history != null) {
            history.close();
        }
    }

    @Test
    void resultsOfOneProxyServeTheNextIfProvenAndNotPurged() {
        long seed = new Random().nextLong();
        HistoryCalls proving = history.calls.of("eth_getBlockByHash", false);
        HistoryCalls others = history.calls.of("eth_getBlockByHash", true);
        HistoryCalls first = proving.part(0, proving.size() / 2);
        HistoryCalls second = proving.part(proving.size() / 2, proving.size());
        try (WeirProcess writer = history.weir("16 MiB")) {
            awaitUp(writer, true);
            history.calls.askAll(writer);
            assertThat(lookups(writer, "hit")).isZero();
            await().until(() -> stored(writer) >= proving.size());
        }
        // So little memory that every call looks behind it.
        try (WeirProcess reader = history.weir("8 KiB")) {
            awaitUp(reader, true);
            // The first lookups of a process are late, and nodes are asked.
            await().untilAsserted(() -> {
                long before = history.node.answered();
                double hits = lookups(reader, "hit");
                assertThat(first.askAll(reader)).isEqualTo(first.size());
                assertThat(history.node.answered()).isEqualTo(before);
                assertThat(lookups(reader, "hit")).isEqualTo(hits + first.size());
            });
            double hits = lookups(reader, "hit");
            tamper(new Random(seed));
            second.askAll(reader);
            others.askAll(reader);
            assertThat(lookups(reader, "hit")).as("no lie, seed %d", seed).isEqualTo(hits);
            assertThat(lookups(reader, "refused") + notAnswered(reader)).isGreaterThanOrEqualTo(second.size() / 2.0);
            assertThat(purge(reader)).isEqualTo(200);
            assertThat(reader.process().err()).noneMatch(line -> line.contains(RedisHistory.PASSWORD));
            assertThat(reader.admin().metrics()).doesNotContain(RedisHistory.PASSWORD);
            assertThat(status(reader)).contains("\"redis\"").doesNotContain(RedisHistory.PASSWORD);
        }
        try (WeirProcess last = history.weir("16 MiB")) {
            awaitUp(last, true);
            first.askAll(last);
            assertThat(lookups(last, "hit")).as("hits after a purge").isZero();
        }
    }

    private static double notAnswered(WeirProcess weir) {
        return lookups(weir, "late") + lookups(weir, "skipped");
    }

    /** Each entry becomes another kind of lie: damaged, cut, swapped, or well-formed and false. */
    private void tamper(Random random) {
        history.inRedis(commands -> {
            List<byte[]> keys = commands.keys("weir:" + EntryCodec.VERSION + ":*").stream()
                    .filter(key -> !new String(key, StandardCharsets.US_ASCII).endsWith(":anchor"))
                    .filter(key -> commands.strlen(key) > 100)
                    .toList();
            byte[] other = commands.get(keys.get(0));
            for (int i = 0; i < keys.size(); i++) {
                byte[] value = commands.get(keys.get(i));
                commands.set(
                        keys.get(i),
                        switch (i % 4) {
                            case 0 -> flipped(value, random);
                            case 1 -> Arrays.copyOf(value, random.nextInt(value.length));
                            case 2 -> i == 0 ? flipped(value, random) : other;
                            default -> forged(value);
                        });
            }
        });
    }

    private static byte[] flipped(byte[] value, Random random) {
        value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
        return value;
    }

    /** With another sender or gas limit, packed and sealed as it should be. */
    private static byte[] forged(byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        int length = buffer.getInt(VALUE_LENGTH);
        int stored = buffer.getInt(STORED_LENGTH);
        byte[] head = Arrays.copyOf(value, value.length - stored);
        byte[] packed = Arrays.copyOfRange(value, value.length - stored, value.length);
        byte[] plain = (value[1] & 1) == 1 ? Zstd.decompress(packed, length) : packed;
        String text = new String(plain, StandardCharsets.UTF_8);
        int at = text.indexOf("\"gas");
        int digit = text.indexOf("0x", at) + 2;
        plain[digit] = (byte) (plain[digit] == '1' ? '2' : '1');
        byte[] again = Zstd.compress(plain);
        ByteBuffer whole =
                ByteBuffer.allocate(head.length + again.length).put(head).put(again);
        whole.put(1, (byte) (value[1] | 1)).putInt(STORED_LENGTH, again.length);
        CRC32C crc = new CRC32C();
        crc.update(whole.array(), 0, 2);
        crc.update(whole.array(), 6, whole.capacity() - 6);
        return whole.putInt(2, (int) crc.getValue()).array();
    }
}
