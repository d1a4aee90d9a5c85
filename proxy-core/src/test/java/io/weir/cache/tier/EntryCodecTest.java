package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.weir.cache.tier.EntryCodec.BadEntryException;
import io.weir.jsonrpc.RawJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class EntryCodecTest {

    private static final String SPACE = "1:ethereum:1:00112233445566778899aabbccddeeff";
    private static final RawJson PARAMS = RawJson.of("[\"0x1\",true]");
    private static final String HASH = "0x" + "ab".repeat(32);

    private final EntryCodec codec = new EntryCodec(100, 1 << 20);

    private static TierEntry entry(String value) {
        return new TierEntry("eth_getBlockByNumber", PARAMS, RawJson.of(value), 1, HASH, -5);
    }

    private TierEntry decoded(byte[] bytes) throws BadEntryException {
        return codec.decode(bytes, SPACE, "eth_getBlockByNumber", PARAMS);
    }

    @Test
    void anEntryIsReadAsWrittenCompressedOrNot() throws BadEntryException {
        for (String value : new String[] {"0", "\"" + "x".repeat(98) + "\"", "[" + "1,".repeat(5_000) + "1]"}) {
            byte[] bytes = codec.encode(SPACE, entry(value));
            assertThat(decoded(bytes)).isEqualTo(entry(value));
        }
        assertThat(codec.encode(SPACE, entry("[" + "1,".repeat(5_000) + "1]"))).hasSizeLessThan(500);
        TierEntry unhashed = new TierEntry("eth_getBlockByNumber", PARAMS, RawJson.of("1"), 7, null, 0);
        assertThat(decoded(codec.encode(SPACE, unhashed))).isEqualTo(unhashed);
    }

    @Test
    void oneThatIsTooLargeIsNotEncoded() {
        assertThat(codec.encode(SPACE, entry("\"" + "x".repeat(1 << 20) + "\"")))
                .isNull();
    }

    @Test
    void aFlippedBitAnywhereIsNoticed() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (String value : new String[] {"\"" + "x".repeat(50) + "\"", "[" + "1,".repeat(200) + "1]"}) {
            byte[] bytes = codec.encode(SPACE, entry(value));
            for (int at = 0; at < bytes.length; at++) {
                byte[] flipped = bytes.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                int place = at;
                assertThatThrownBy(() -> decoded(flipped))
                        .as("byte %d, seed %d", place, seed)
                        .isInstanceOf(BadEntryException.class);
            }
        }
    }

    @Test
    void truncatedOrExtendedBytesAreNoEntry() {
        byte[] bytes = codec.encode(SPACE, entry("[" + "1,".repeat(200) + "1]"));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> decoded(cut)).isInstanceOf(BadEntryException.class);
        }
        byte[] longer = sealed(java.util.Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> decoded(longer)).hasMessage("wrong lengths");
    }

    @Test
    void theEntryOfAnotherCallOrChainIsRejected() {
        byte[] bytes = codec.encode(SPACE, entry("1"));
        assertThatThrownBy(() -> codec.decode(bytes, SPACE, "eth_getBlockByHash", PARAMS))
                .hasMessage("another call's");
        assertThatThrownBy(() -> codec.decode(bytes, SPACE, "eth_getBlockByNumber", RawJson.of("[\"0x2\",true]")))
                .hasMessage("another call's");
        assertThatThrownBy(() -> codec.decode(bytes, SPACE.replace(":1:0", ":2:0"), "eth_getBlockByNumber", PARAMS))
                .hasMessage("another call's");
    }

    @Test
    void lengthsThatLieAreNotBelieved() {
        Random random = new Random(1);
        for (int field = 22; field < 38; field += 4) {
            for (int wrong : new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0, random.nextInt()}) {
                byte[] bytes = codec.encode(SPACE, entry("[" + "1,".repeat(200) + "1]"));
                ByteBuffer.wrap(bytes).putInt(field, wrong);
                assertThatThrownBy(() -> decoded(sealed(bytes))).isInstanceOf(BadEntryException.class);
            }
        }
    }

    @Test
    void anOversizedEntryIsNotDecompressed() {
        byte[] bomb = Zstd.compress(new byte[1 << 26]);
        byte[] bytes = withPayload(bomb, 1 << 26);
        assertThatThrownBy(() -> decoded(bytes)).hasMessage("wrong lengths");
        byte[] understated = withPayload(bomb, 1 << 10);
        assertThatThrownBy(() -> decoded(understated)).isInstanceOf(BadEntryException.class);
    }

    @Test
    void bytesThatAreNotJsonAreNoEntry() {
        for (String value : new String[] {"1,2", "{\"a\":1", "\"a\",\"id\":7", "", "1}"}) {
            byte[] bytes = codec.encode(SPACE, entry(value));
            assertThatThrownBy(() -> decoded(bytes)).as(value).hasMessage("not one JSON value");
        }
    }

    /** Returns an entry as an attacker who knows the format would write it. */
    private static byte[] withPayload(byte[] payload, int claimed) {
        byte[] key = (SPACE + "\0eth_getBlockByNumber").getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(38 + key.length + PARAMS.length() + payload.length);
        buffer.put((byte) 2).put((byte) 1).putInt(0).putLong(1).putLong(0);
        buffer.putInt(key.length).putInt(PARAMS.length()).putInt(claimed).putInt(payload.length);
        buffer.put(key).put(PARAMS.toBytes()).put(payload);
        return sealed(buffer.array());
    }

    private static byte[] sealed(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, 2);
        crc.update(bytes, 6, bytes.length - 6);
        ByteBuffer.wrap(bytes).putInt(2, (int) crc.getValue());
        return bytes;
    }
}
