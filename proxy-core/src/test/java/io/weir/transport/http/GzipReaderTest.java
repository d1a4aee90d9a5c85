package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.framing.BodyBuffer;
import io.weir.framing.BodyBuffer.AddResult;
import io.weir.limit.Budget;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipReaderTest {

    private static final int MAX = Integer.MAX_VALUE;

    private final Budget budget = new Budget(Long.MAX_VALUE);
    private final BodyBuffer body = BodyBuffer.ofClient(0, 1 << 20, budget.reserve());
    private final GzipReader reader = GzipReader.open(1 << 20, budget.reserve());

    @AfterEach
    void nothingStaysCounted() {
        reader.close();
        body.reservation().close();
        assertThat(budget.taken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void membersAreDecompressedHoweverTheirBytesAreSplit(long seed) throws Exception {
        Random random = new Random(seed);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int members = 1 + random.nextInt(3); members > 0; members--) {
            byte[] part = new byte[random.nextInt(40_000)];
            for (int i = 0; i < part.length; i++) {
                part[i] = (byte) random.nextInt(1 + (int) seed * 8);
            }
            plain.write(part);
            packed.write(withHeader(gzip(part), random));
        }
        assertThat(add(packed.toByteArray(), random)).as("seed %d", seed).isEqualTo(AddResult.ADDED);
        assertThat(reader.isWhole()).as("seed %d", seed).isTrue();
        assertThat(reader.compressed()).isEqualTo(packed.size());
        assertThat(Arrays.copyOf(body.array(), body.length()))
                .as("seed %d", seed)
                .isEqualTo(plain.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void noBeginningOfAMemberIsWhole(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] whole = withHeader(gzip("some text".getBytes("UTF-8")), random);
        for (int length = 0; length < whole.length; length++) {
            try (GzipReader one = GzipReader.open(1 << 20, budget.reserve())) {
                BodyBuffer into = BodyBuffer.ofClient(0, 1000, budget.reserve());
                assertThat(one.add(Unpooled.wrappedBuffer(whole, 0, length), into, MAX))
                        .isEqualTo(AddResult.ADDED);
                assertThat(one.isWhole()).as("seed %d, length %d", seed, length).isFalse();
                into.reservation().close();
            }
        }
    }

    @Test
    void aChangedBitNeverMakesAnotherTextOfIt() throws Exception {
        byte[] text = "text that is packed, text that is packed".getBytes("UTF-8");
        byte[] whole = gzip(text);
        int broken = 0;
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] changed = whole.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            try (GzipReader one = GzipReader.open(1 << 20, budget.reserve())) {
                BodyBuffer into = BodyBuffer.ofClient(0, 1000, budget.reserve());
                AddResult added = one.add(Unpooled.wrappedBuffer(changed), into, MAX);
                if (added == AddResult.ADDED && one.isWhole()) {
                    assertThat(Arrays.copyOf(into.array(), into.length())).isEqualTo(text);
                } else {
                    broken++;
                }
                into.reservation().close();
            }
        }
        // Only the time, level and system of the header, and padding, mean nothing.
        assertThat(broken).isGreaterThan(whole.length * 8 - 8 * 8);
    }

    @Test
    void garbageBehindAMemberIsNotTaken() throws Exception {
        byte[] whole = Arrays.copyOf(gzip(new byte[] {'{', '}'}), 22 + 3);
        assertThat(add(whole, new Random(1))).isEqualTo(AddResult.MALFORMED);
    }

    @Test
    void aWrongHeaderChecksumIsNotTaken() throws Exception {
        byte[] whole = withChecksum(gzip(new byte[] {'{', '}'}));
        whole[11] ^= 1;
        assertThat(add(whole, new Random(1))).isEqualTo(AddResult.MALFORMED);
    }

    @Test
    void aBombIsLeftWhereTheBoundIs() throws Exception {
        byte[] bomb = gzip(new byte[4 << 20]);
        assertThat(bomb.length).isLessThan(5 << 10);
        assertThat(reader.add(Unpooled.wrappedBuffer(bomb), body, MAX)).isEqualTo(AddResult.TOO_LARGE);
        assertThat(body.length()).isLessThanOrEqualTo(1 << 20);
    }

    @Test
    void theCompressedSizeIsBoundedToo() throws Exception {
        byte[] empty = gzip(new byte[0]);
        AddResult added = AddResult.ADDED;
        int sent = 0;
        while (added == AddResult.ADDED && sent < 2 << 20) {
            added = reader.add(Unpooled.wrappedBuffer(empty), body, MAX);
            sent += empty.length;
        }
        assertThat(added).isEqualTo(AddResult.TOO_LARGE);
        assertThat(sent - empty.length).isLessThanOrEqualTo(1 << 20);
        assertThat(body.length()).isZero();
    }

    @Test
    void withoutBudgetThereIsNoReader() {
        Budget small = new Budget(1000);
        assertThat(GzipReader.open(1 << 20, small.reserve())).isNull();
        assertThat(small.taken()).isZero();
    }

    private AddResult add(byte[] packed, Random random) {
        AddResult added = AddResult.ADDED;
        for (int at = 0; at < packed.length && added == AddResult.ADDED; ) {
            int end = Math.min(packed.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 9000));
            ByteBuf piece = Unpooled.wrappedBuffer(packed, at, end - at);
            int most = 1 + random.nextInt(20_000);
            int before;
            do {
                before = body.length();
                added = reader.add(piece, body, most);
                assertThat(body.length() - before).isLessThan(most + (1 << 13));
            } while (added == AddResult.ADDED && body.length() - before >= most);
            at = end;
        }
        return added;
    }

    private static byte[] gzip(byte[] plain) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] withChecksum(byte[] member) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] head = Arrays.copyOf(member, 10);
        head[3] = 2;
        CRC32 crc = new CRC32();
        crc.update(head);
        out.write(head);
        out.write((int) crc.getValue());
        out.write((int) crc.getValue() >> 8);
        out.write(member, 10, member.length - 10);
        return out.toByteArray();
    }

    /** The member with some of the optional parts of its header. */
    private static byte[] withHeader(byte[] member, Random random) throws Exception {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int flags = random.nextInt(32);
        head.write(member, 0, 10);
        if ((flags & 4) != 0) {
            int extra = random.nextInt(3) * 150;
            head.write(extra);
            head.write(extra >> 8);
            head.write(new byte[extra]);
        }
        for (int flag = 8; flag <= 16; flag *= 2) {
            if ((flags & flag) != 0) {
                head.write("name".repeat(random.nextInt(5)).getBytes("UTF-8"));
                head.write(0);
            }
        }
        byte[] bytes = head.toByteArray();
        bytes[3] = (byte) flags;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes);
        if ((flags & 2) != 0) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            out.write((int) crc.getValue());
            out.write((int) crc.getValue() >> 8);
        }
        out.write(member, 10, member.length - 10);
        return out.toByteArray();
    }
}
