package io.weir.subscription.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Logs of one block, or those of some addresses, in their order. Immutable. */
public final class BlockLogs {

    private static final NameTable ADDRESS = NameTable.of(Set.of("address"));
    private static final NameTable TOPICS = NameTable.of(Set.of("topics"));
    private static final NameTable BLOCK_HASH = NameTable.of(Set.of("blockHash"));
    private static final NameTable REMOVED = NameTable.of(Set.of("removed"));
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] REMOVED_MEMBER = ",\"removed\":true}".getBytes(US_ASCII);

    private final BlockLink block;
    private final List<BlockLog> logs;
    private final long bytes;

    private BlockLogs(BlockLink block, List<BlockLog> logs, long bytes) {
        this.block = block;
        this.logs = logs;
        this.bytes = bytes;
    }

    /** Reads the logs of a block; null if the answer is no list of its logs. */
    public static @Nullable BlockLogs read(BlockLink block, RawJson answer) {
        if (answer.first() != '[') {
            return null;
        }
        try {
            List<BlockLog> logs = new ArrayList<>();
            for (RawJson text : JsonArray.elements(answer, Integer.MAX_VALUE)) {
                BlockLog log = log(text, block);
                if (log == null) {
                    return null;
                }
                logs.add(log);
            }
            return new BlockLogs(block, List.copyOf(logs), answer.array().length);
        } catch (InvalidParamsException | IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable BlockLog log(RawJson text, BlockLink block) throws InvalidParamsException {
        if (text.first() != '{') {
            return null;
        }
        RawJson hash = JsonObject.member(text, BLOCK_HASH);
        RawJson address = normal(JsonObject.member(text, ADDRESS));
        RawJson list = JsonObject.member(text, TOPICS);
        boolean fits = hash != null && hash.toString().toLowerCase(Locale.ROOT).equals('"' + block.hash() + '"');
        if (!fits || address == null || list == null || list.first() != '[') {
            return null;
        }
        List<RawJson> topics = new ArrayList<>(4);
        for (RawJson topic : JsonArray.elements(list, Integer.MAX_VALUE)) {
            RawJson normal = normal(topic);
            if (normal == null) {
                return null;
            }
            topics.add(normal);
        }
        return new BlockLog(text, address, topics);
    }

    private static @Nullable RawJson normal(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null ? null : text.bytes();
    }

    /** Returns the block. */
    public BlockLink block() {
        return block;
    }

    /** Returns the number of logs. */
    public int size() {
        return logs.size();
    }

    /** Returns the bytes that they take, about. */
    public long bytes() {
        return bytes;
    }

    BlockLog at(int index) {
        return logs.get(index);
    }

    /** Returns a log as the node wrote it. */
    public RawJson json(int index) {
        return logs.get(index).text();
    }

    /** Returns the text of a log. */
    public byte[] text(int index) {
        return logs.get(index).text().toBytes();
    }

    /** Returns the text of a log that is not part of the canonical chain any more. */
    public byte[] removedText(int index) {
        RawJson text = logs.get(index).text();
        RawJson removed = JsonObject.member(text, REMOVED);
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + REMOVED_MEMBER.length);
        int end = text.offset() + text.length();
        if (removed == null) {
            out.write(text.array(), text.offset(), text.length() - 1);
            out.writeBytes(REMOVED_MEMBER);
        } else {
            out.write(text.array(), text.offset(), removed.offset() - text.offset());
            out.writeBytes(TRUE);
            int rest = removed.offset() + removed.length();
            out.write(text.array(), rest, end - rest);
        }
        return out.toByteArray();
    }
}
