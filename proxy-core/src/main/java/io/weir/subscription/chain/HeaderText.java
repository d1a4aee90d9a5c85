package io.weir.subscription.chain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.cache.AnswerFacts;
import io.weir.chain.BlockLink;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.CacheClass;
import io.weir.method.params.kind.HexText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of nodes' blocks. It takes over the members that geth sends in notifications of new heads, in geth's order. Pure. */
public final class HeaderText {

    private static final String HASH = "hash";
    private static final String BLOOM = HeaderField.LOGS_BLOOM.jsonName();
    private static final int BLOOM_DIGITS = 512;

    private static final List<String> MEMBERS = Stream.concat(
                    Arrays.stream(HeaderField.values()).map(HeaderField::jsonName), Stream.of(HASH))
            .toList();
    private static final NameTable NAMES = NameTable.of(MEMBERS);

    private HeaderText() {}

    /** Reads a block; null if it is no block with a number, a hash and a parent. */
    public static @Nullable StreamBlock read(RawJson block) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, block);
        if (facts == null || facts.parentHash() == null) {
            return null;
        }
        try {
            Map<String, RawJson> members = members(block);
            BlockLink link = new BlockLink(facts.number(), facts.hash(), facts.parentHash());
            return block(link, members);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static Map<String, RawJson> members(RawJson block) throws JsonSyntaxException {
        Map<String, RawJson> members = new HashMap<>();
        JsonScanner scanner = JsonScanner.delimiters(block.array(), block.offset(), block.length());
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(NAMES);
            int start = scanner.position();
            scanner.skip();
            if (name != null) {
                members.putIfAbsent(name, RawJson.slice(block.array(), start, scanner.position() - start));
            }
            more = scanner.nextEntry();
        }
        return members;
    }

    private static StreamBlock block(BlockLink link, Map<String, RawJson> members) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(1_536);
        int bloomStart = -1;
        for (String name : MEMBERS) {
            RawJson value = members.get(name);
            if (value == null || value.first() == 'n') {
                continue;
            }
            text.write(text.size() == 0 ? '{' : ',');
            text.writeBytes(('"' + name + "\":").getBytes(US_ASCII));
            if (name.equals(BLOOM) && isBloom(value)) {
                bloomStart = text.size();
            }
            text.write(value.array(), value.offset(), value.length());
        }
        text.write('}');
        return new StreamBlock(link, RawJson.of(text.toByteArray()), bloomStart);
    }

    private static boolean isBloom(RawJson value) {
        HexText hex = HexText.read(value);
        return hex != null && hex.digits() == BLOOM_DIGITS && value.length() == BLOOM_DIGITS + 4;
    }
}
