package io.weir.pipeline.head;

import io.weir.api.BlockForm;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.CacheClass;
import io.weir.method.CacheClass.BlockNaming;
import io.weir.method.MethodFacts;
import io.weir.method.MethodRole;
import io.weir.method.params.BlockIds;
import io.weir.method.params.MethodParams;
import io.weir.pipeline.CallContext;
import io.weir.upstream.NetworkHead;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the block number in one method's results, without a tree and only at the beginning of a result. If a node writes
 * the number after the block's transactions, the next poll finds it. Immutable and thread-safe.
 */
final class SeenBlocks {

    /** Longer than a header, or than a receipt with a few logs before the number. */
    private static final int MAX_BYTES = 8 * 1024;

    /** Longer than most receipts of a plugin's kind of network, which may name their block last. */
    private static final int MAX_BYTES_OF_KIND = 256 * 1024;

    private final BlockIds ids;
    private final String member;
    /** The member that a block in the making lacks; null if nodes name no such block. */
    private final @Nullable String hashMember;

    private final NameTable names;
    private final int maxBytes;

    private SeenBlocks(BlockIds ids, String member, @Nullable String hashMember, int maxBytes) {
        this.ids = ids;
        this.member = member;
        this.hashMember = hashMember;
        this.names = NameTable.of(hashMember == null ? Set.of(member) : Set.of(member, hashMember));
        this.maxBytes = maxBytes;
    }

    /** Returns a reader of this member, a number in hex. */
    static SeenBlocks of(String member) {
        return new SeenBlocks(BlockIds.ETHEREUM, member, null, MAX_BYTES);
    }

    /** Returns a reader of a method's results; null if they name no block. */
    static @Nullable SeenBlocks of(MethodFacts facts) {
        MethodParams params = facts.params();
        BlockIds ids = params == null ? BlockIds.ETHEREUM : params.blocks();
        BlockForm.Members members = ids.form().members();
        if (facts.role() == MethodRole.IN_BLOCK) {
            return new SeenBlocks(ids, members.number(), members.hash(), MAX_BYTES_OF_KIND);
        }
        CacheClass rule = facts.cacheClass();
        String member = rule != null && rule.naming() == BlockNaming.OWN ? members.number() : facts.numberMember();
        return member == null ? null : new SeenBlocks(ids, member, null, MAX_BYTES);
    }

    /** Notes the block that a node's result names, if it is above the head. */
    void note(NetworkHead head, CallContext context, RawJson result) {
        long number = number(result);
        String upstream = context.trace().upstreamId();
        if (number > head.tracker().number() && upstream != null) {
            head.seen(upstream, number);
        }
    }

    /** Returns the number that a result, or its first element, names; -1 if none is found. */
    long number(RawJson result) {
        int length = Math.min(result.length(), maxBytes);
        JsonScanner scanner = JsonScanner.delimiters(result.array(), result.offset(), length);
        try {
            if (scanner.peek() == '[') {
                scanner.open();
                if (!scanner.firstEntry()) {
                    return -1;
                }
            }
            return scanner.peek() == '{' ? number(result.array(), scanner) : -1;
        } catch (JsonSyntaxException e) {
            // Truncated where the search ends.
            return -1;
        }
    }

    private long number(byte[] text, JsonScanner scanner) throws JsonSyntaxException {
        scanner.open();
        long number = -1;
        boolean hashed = false;
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(names);
            scanner.peek();
            int start = scanner.position();
            scanner.skip();
            if (member.equals(name)) {
                RawJson value = RawJson.slice(text, start, scanner.position() - start);
                if (hashMember == null) {
                    return ids.number(value);
                }
                number = ids.number(value);
            } else if (name != null && name.equals(hashMember)) {
                hashed = text[start] == '"';
            }
            if (number >= 0 && hashed) {
                return number;
            }
            more = scanner.nextEntry();
        }
        return -1;
    }
}
