package io.weir.subscription.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Logs of one block, or those of some addresses, in their order. Immutable. */
public final class BlockLogs {

    private static final NameTable REMOVED = NameTable.of(Set.of("removed"));
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] REMOVED_MEMBER = ",\"removed\":true}".getBytes(US_ASCII);

    private final BlockLink block;
    private final List<BlockLog> logs;
    private final long bytes;

    /**
     * One log of a block. Immutable.
     *
     * @param text the log as the node wrote it
     * @param address in normal form; as the node wrote it if it has none, and {@code null} if it is missing
     * @param topics in normal form, or as the node wrote them
     */
    record BlockLog(RawJson text, RawJson address, List<RawJson> topics) {}

    private BlockLogs(BlockLink block, List<BlockLog> logs, long bytes) {
        this.block = block;
        this.logs = logs;
        this.bytes = bytes;
    }

    /** Reads the logs of a block in Ethereum's form; null if the answer is no list of its logs. */
    public static @Nullable BlockLogs read(BlockLink block, RawJson answer) {
        return read(block, answer, LogForm.ETHEREUM);
    }

    /** Reads the logs of a block; null if the answer is no list of its logs. */
    public static @Nullable BlockLogs read(BlockLink block, RawJson answer, LogForm form) {
        if (answer.first() != '[') {
            return null;
        }
        try {
            List<BlockLog> logs = new ArrayList<>();
            for (RawJson text : JsonArray.elements(answer, Integer.MAX_VALUE)) {
                BlockLog log = log(text, block, form);
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

    /** Returns all logs of several lists of one block. */
    public static BlockLogs joined(BlockLink block, List<BlockLogs> lists) {
        return new BlockLogs(
                block,
                lists.stream().flatMap(list -> list.logs.stream()).toList(),
                lists.stream().mapToLong(BlockLogs::bytes).sum());
    }

    /** Reads a log of the block; null if it is none. One in another form passes as it is: the others of its list do not depend on it. */
    private static @Nullable BlockLog log(RawJson text, BlockLink block, LogForm form) throws InvalidParamsException {
        if (text.first() != '{') {
            return null;
        }
        RawJson hash = form.normalised(JsonObject.member(text, form.blockHash()));
        if (hash == null || !hash.toString().equals('"' + block.hash() + '"')) {
            return null;
        }
        RawJson address = JsonObject.member(text, form.address());
        RawJson list = JsonObject.member(text, form.topics());
        List<RawJson> topics = new ArrayList<>(4);
        if (list != null && list.first() == '[') {
            for (RawJson topic : JsonArray.elements(list, Integer.MAX_VALUE)) {
                topics.add(form.comparable(topic));
            }
        }
        return new BlockLog(form.complete(text), form.comparable(address == null ? RawJson.NULL : address), topics);
    }

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
