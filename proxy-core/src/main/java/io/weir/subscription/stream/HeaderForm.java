package io.weir.subscription.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.BlockForm;
import io.weir.cache.AnswerFacts;
import io.weir.chain.BlockLink;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.HexText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Form in which blocks are told: which members a header takes over from a node's block, in their order. Immutable and thread-safe. */
public final class HeaderForm {

    private static final String BLOOM = HeaderField.LOGS_BLOOM.jsonName();
    private static final int BLOOM_DIGITS = 512;

    /** Ethereum's: the members that geth sends in notifications of new heads, in geth's order. */
    public static final HeaderForm ETHEREUM = new HeaderForm(
            Stream.concat(Arrays.stream(HeaderField.values()).map(HeaderField::jsonName), Stream.of("hash"))
                    .toList(),
            List.of(),
            HeaderForm::ethereum);

    private final List<String> names;
    private final NameTable read;
    private final Place place;

    /** Reader of a block's place. Pure. */
    @FunctionalInterface
    private interface Place {

        /**
         * Reads the place; null if the block has no number, hash and parent.
         *
         * @param members those of the block that are read
         */
        @Nullable
        BlockLink of(RawJson block, Map<String, RawJson> members);
    }

    private HeaderForm(List<String> names, List<String> others, Place place) {
        this.names = List.copyOf(names);
        this.read = NameTable.of(
                Stream.concat(names.stream(), others.stream()).distinct().toList());
        this.place = place;
    }

    /**
     * Returns that of a plugin's kind of network.
     *
     * @param its the members that tell a block's place
     * @param members the members of a header, in their order
     */
    public static HeaderForm of(BlockForm.Members its, List<String> members) {
        return new HeaderForm(members, List.of(its.number(), its.hash(), its.parentHash()), (block, read) -> {
            long number = BlockIds.decimal(read.getOrDefault(its.number(), RawJson.NULL));
            String hash = BlockIds.hash(read.getOrDefault(its.hash(), RawJson.NULL));
            String parentHash = BlockIds.hash(read.getOrDefault(its.parentHash(), RawJson.NULL));
            return number < 0 || hash.isEmpty() || parentHash.isEmpty()
                    ? null
                    : new BlockLink(number, hash, parentHash);
        });
    }

    private static @Nullable BlockLink ethereum(RawJson block, Map<String, RawJson> members) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, block);
        String parentHash = facts == null ? null : facts.parentHash();
        return facts == null || parentHash == null ? null : new BlockLink(facts.number(), facts.hash(), parentHash);
    }

    /** Reads a block; null if it is no block with a number, a hash and a parent. */
    public @Nullable StreamBlock read(RawJson block) {
        if (block.first() != '{') {
            return null;
        }
        try {
            Map<String, RawJson> members = members(block);
            BlockLink link = place.of(block, members);
            return link == null ? null : block(link, members);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private Map<String, RawJson> members(RawJson block) throws JsonSyntaxException {
        Map<String, RawJson> members = new HashMap<>();
        JsonScanner scanner = JsonScanner.delimiters(block.array(), block.offset(), block.length());
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(read);
            int start = scanner.position();
            scanner.skip();
            if (name != null) {
                members.putIfAbsent(name, RawJson.slice(block.array(), start, scanner.position() - start));
            }
            more = scanner.nextEntry();
        }
        return members;
    }

    /** Returns the block with its header, which leaves out members that are null. */
    private StreamBlock block(BlockLink link, Map<String, RawJson> members) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(1_536);
        int bloom = -1;
        text.write('{');
        for (String name : names) {
            RawJson value = members.get(name);
            if (value == null || value.first() == 'n') {
                continue;
            }
            text.writeBytes(((text.size() == 1 ? "\"" : ",\"") + name + "\":").getBytes(UTF_8));
            bloom = name.equals(BLOOM) && isBloom(value) ? text.size() : bloom;
            text.write(value.array(), value.offset(), value.length());
        }
        text.write('}');
        return new StreamBlock(link, RawJson.of(text.toByteArray()), bloom);
    }

    private static boolean isBloom(RawJson value) {
        HexText hex = HexText.read(value);
        return hex != null && hex.digits() == BLOOM_DIGITS && value.length() == BLOOM_DIGITS + 4;
    }
}
