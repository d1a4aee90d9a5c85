package io.weir.subscription.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.BlockForm;
import io.weir.chain.BlockLink;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.HexText;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Form in which blocks are told: which members a header takes over from a node's block, in their order. Immutable and thread-safe. */
public final class HeaderForm {

    private static final String BLOOM = HeaderField.LOGS_BLOOM.jsonName();
    private static final int BLOOM_DIGITS = 512;

    private final BlockIds ids;
    private final List<String> names;
    private final NameTable read;

    /** @param names the members of a header, in their order */
    public HeaderForm(BlockIds ids, List<String> names) {
        this.ids = ids;
        this.names = List.copyOf(names);
        BlockForm.Members its = ids.form().members();
        this.read = NameTable.of(Stream.concat(names.stream(), Stream.of(its.number(), its.hash(), its.parentHash()))
                .distinct()
                .toList());
    }

    /** Reads a block; null if it is no block with a number, a hash and a parent. */
    public @Nullable StreamBlock read(RawJson block) {
        if (block.first() != '{') {
            return null;
        }
        try {
            Map<String, RawJson> members = members(block);
            BlockForm.Members its = ids.form().members();
            long number = ids.number(members.getOrDefault(its.number(), RawJson.NULL));
            String hash = ids.exactHash(members.getOrDefault(its.hash(), RawJson.NULL));
            String parentHash = ids.exactHash(members.getOrDefault(its.parentHash(), RawJson.NULL));
            return number < 0 || hash.isEmpty() || parentHash.isEmpty()
                    ? null
                    : block(new BlockLink(number, hash, parentHash), members);
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
            RawJson value = RawJson.slice(block.array(), start, scanner.position() - start);
            if (name != null && members.putIfAbsent(name, value) != null) {
                // Readers would take different ones.
                return Map.of();
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
