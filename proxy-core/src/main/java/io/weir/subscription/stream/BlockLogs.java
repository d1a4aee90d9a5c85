package io.weir.subscription.stream;

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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Logs of one block, or those of some addresses, in their order. Immutable.
 *
 * @param bytes that they take, about
 */
public record BlockLogs(BlockLink block, List<BlockLog> logs, long bytes) {

    private static final NameTable REMOVED = NameTable.of(Set.of("removed"));
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] REMOVED_MEMBER = ",\"removed\":true}".getBytes(US_ASCII);

    /**
     * One log of a block. Immutable.
     *
     * @param text the log as the node wrote it
     * @param address in normal form; as the node wrote it if it has none, and {@code null} if it is missing
     * @param topics in normal form, or as the node wrote them
     */
    public record BlockLog(RawJson text, RawJson address, List<RawJson> topics) {}

    /** Reads the logs of a block in Ethereum's form; null if the answer is no list of its logs. */
    public static @Nullable BlockLogs read(BlockLink block, RawJson answer) {
        return read(block, answer, Form.ETHEREUM);
    }

    /** Reads the logs of a block; null if the answer is no list of its logs. */
    public static @Nullable BlockLogs read(BlockLink block, RawJson answer, Form form) {
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
    private static @Nullable BlockLog log(RawJson text, BlockLink block, Form form) throws InvalidParamsException {
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

    public int size() {
        return logs.size();
    }

    BlockLog at(int index) {
        return logs.get(index);
    }

    /** Returns a log as the node wrote it. */
    public RawJson json(int index) {
        return logs.get(index).text();
    }

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

    /**
     * The form in which nodes show logs. Immutable and thread-safe.
     *
     * @param address the name of the address
     * @param topics the name of the list of topics
     * @param blockHash the name of the block's hash
     * @param normal returns an address, topic or hash in normal form; null if it is none
     * @param added members that are added at the end of each log, with a comma before each
     */
    public record Form(
            NameTable address,
            NameTable topics,
            NameTable blockHash,
            Function<RawJson, @Nullable RawJson> normal,
            String added) {

        private static final Pattern PREFIXED_ADDRESS = Pattern.compile("\"[A-Za-z]{1,8}([0-9a-fA-F]{40})\"");
        private static final int MAX_ADDRESS = 50;
        static final Form ETHEREUM = new Form("address", "topics", "blockHash", Form::hex, "");

        public Form(
                String address,
                String topics,
                String blockHash,
                Function<RawJson, @Nullable RawJson> normal,
                String added) {
            this(
                    NameTable.of(Set.of(address)),
                    NameTable.of(Set.of(topics)),
                    NameTable.of(Set.of(blockHash)),
                    normal,
                    added);
        }

        private static @Nullable RawJson hex(RawJson value) {
            HexText text = HexText.read(value);
            if (text != null) {
                return text.bytes();
            }
            // Nodes of some chains write addresses with another prefix, such as xdc.
            Matcher address = PREFIXED_ADDRESS.matcher(value.length() > MAX_ADDRESS ? "" : value.toString());
            return address.matches() ? RawJson.of("\"0x" + address.group(1).toLowerCase(Locale.ROOT) + '"') : null;
        }

        /** Returns a value in normal form; null if there is none. */
        @Nullable
        RawJson normalised(@Nullable RawJson value) {
            return value == null ? null : normal.apply(value);
        }

        /** Returns an address or a topic in normal form, or as it is if it has none: then it equals nothing that a filter names. */
        RawJson comparable(RawJson value) {
            RawJson normalised = normal.apply(value);
            return normalised == null ? value.compact() : normalised;
        }

        /** Returns a log with the members that are added. */
        RawJson complete(RawJson log) {
            String text = added.isEmpty() ? "" : log.toString();
            return added.isEmpty() ? log : RawJson.of(text.substring(0, text.length() - 1) + added + '}');
        }
    }

    /** Index over the logs of one block by their addresses and topics, made as far as criteria need it. Thread-safe. */
    public static final class Postings {

        private final BlockLogs logs;
        /** The logs by their address at 0, and by each topic at its position plus one. */
        private final ConcurrentMap<Integer, Map<RawJson, List<Integer>>> byLevel = new ConcurrentHashMap<>(2);

        public Postings(BlockLogs logs) {
            this.logs = logs;
        }

        private Map<RawJson, List<Integer>> postings(int level) {
            return IntStream.range(0, logs.size())
                    .filter(index -> level <= logs.at(index).topics().size())
                    .boxed()
                    .collect(Collectors.groupingBy(index -> level == 0
                            ? logs.at(index).address()
                            : logs.at(index).topics().get(level - 1)));
        }

        /**
         * Returns the positions of the logs that match criteria, in order.
         *
         * @param work receives the number of values and logs that were looked at
         */
        public int[] matching(LogCriteria criteria, IntConsumer work) {
            long number = logs.block().number();
            int[] candidates = candidates(criteria, work);
            work.accept(candidates.length);
            return IntStream.of(candidates)
                    .filter(index -> criteria.matches(logs.at(index), number, 0))
                    .toArray();
        }

        private int[] candidates(LogCriteria criteria, IntConsumer work) {
            for (int level = 0; level <= criteria.topics().size(); level++) {
                Set<RawJson> values =
                        level == 0 ? criteria.addresses() : criteria.topics().get(level - 1);
                if (!values.isEmpty()) {
                    return candidates(values, byLevel.computeIfAbsent(level, this::postings), work);
                }
            }
            return IntStream.range(0, logs.size()).toArray();
        }

        private static int[] candidates(Set<RawJson> values, Map<RawJson, List<Integer>> postings, IntConsumer work) {
            Set<RawJson> fewer = values.size() <= postings.size() ? values : postings.keySet();
            Set<RawJson> more = values.size() <= postings.size() ? postings.keySet() : values;
            work.accept(fewer.size());
            return fewer.stream()
                    .filter(more::contains)
                    .flatMap(value -> postings.getOrDefault(value, List.of()).stream())
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
        }
    }
}
