package io.weir.pipeline.head;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
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

    private final String member;
    private final NameTable names;

    private SeenBlocks(String member) {
        this.member = member;
        this.names = NameTable.of(Set.of(member));
    }

    /** Returns a reader of this member; null if the method's results name no block. */
    static @Nullable SeenBlocks of(@Nullable String member) {
        return member == null ? null : new SeenBlocks(member);
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
        int length = Math.min(result.length(), MAX_BYTES);
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
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(names);
            int start = scanner.position();
            scanner.skip();
            if (member.equals(name)) {
                return BlockNumberText.read(RawJson.slice(text, start, scanner.position() - start));
            }
            more = scanner.nextEntry();
        }
        return -1;
    }
}
