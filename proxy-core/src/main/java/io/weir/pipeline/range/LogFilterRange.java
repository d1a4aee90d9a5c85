package io.weir.pipeline.range;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Block range of a log filter whose ends have numbers, with the other members of the filter. Immutable.
 *
 * @param params the whole filter
 * @param others the other members, each with a comma before it
 */
record LogFilterRange(CheckedParams params, BlockRange blocks, byte[] others) {

    private static final String FROM = "fromBlock";
    private static final String TO = "toBlock";
    private static final String HASH = "blockHash";
    private static final NameTable NAMES = NameTable.of(Set.of(FROM, TO));

    /** Largest number of a block. Sums of two of them fit into a {@code long}. */
    private static final long MAX_NUMBER = Long.MAX_VALUE >> 2;

    /**
     * Reads the filter of a call. The tag {@code latest} has the number of the head that the call was held to.
     *
     * @return null if the filter names one block, or an end by another tag
     */
    static @Nullable LogFilterRange of(CallContext context) {
        CheckedParams params = context.checkedParams();
        if (params == null || params.block() instanceof BlockSelector.Hash) {
            return null;
        }
        boolean held = params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.LATEST;
        try {
            return read(params, held ? context.route().block() : 0);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static @Nullable LogFilterRange read(CheckedParams params, long head) throws JsonSyntaxException {
        RawJson filter = params.values().get(0);
        JsonScanner scanner = JsonScanner.delimiters(filter.array(), filter.offset(), filter.length());
        ByteArrayOutputStream others = new ByteArrayOutputStream(filter.length());
        RawJson from = BlockTag.LATEST.json();
        RawJson to = from;
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            scanner.peek();
            int start = scanner.position();
            String name = scanner.knownMember(NAMES);
            int value = scanner.position();
            scanner.skip();
            RawJson read = RawJson.slice(filter.array(), value, scanner.position() - value);
            if (FROM.equals(name)) {
                from = read;
            } else if (TO.equals(name)) {
                to = read;
            } else {
                others.write(',');
                others.write(filter.array(), start, scanner.position() - start);
            }
            more = scanner.nextEntry();
        }
        BlockRange blocks = new BlockRange(number(from, head), number(to, head));
        boolean valid = blocks.from() >= 0 && blocks.to() >= blocks.from() && blocks.to() <= MAX_NUMBER;
        return valid ? new LogFilterRange(params, blocks, others.toByteArray()) : null;
    }

    /** Returns the number of a block; -1 if it is not known. */
    private static long number(RawJson block, long head) {
        HexText text = HexText.read(block);
        if (text != null) {
            return text.toLong();
        }
        BlockTag tag = BlockTag.read(block);
        return tag == BlockTag.EARLIEST ? 0 : tag == BlockTag.LATEST && head > 0 ? head : -1;
    }

    /** Returns the parameters that ask for a part of the range. */
    CheckedParams paramsOf(BlockRange part) {
        String ends = "\"" + FROM + "\":\"0x" + Long.toHexString(part.from()) + "\",\"" + TO + "\":\"0x"
                + Long.toHexString(part.to()) + '"';
        return params(ends, new BlockSelector.Height(part.to()));
    }

    /** Returns the parameters that ask for the block with this hash. */
    CheckedParams paramsOf(String hash) {
        return params("\"" + HASH + "\":\"" + hash + '"', new BlockSelector.Hash(hash, false));
    }

    private CheckedParams params(String place, BlockSelector block) {
        byte[] begin = ("[{" + place).getBytes(US_ASCII);
        byte[] json = new byte[begin.length + others.length + 2];
        System.arraycopy(begin, 0, json, 0, begin.length);
        System.arraycopy(others, 0, json, begin.length, others.length);
        json[json.length - 2] = '}';
        json[json.length - 1] = ']';
        RawJson filter = RawJson.slice(json, 1, json.length - 2);
        return new CheckedParams(params.shape(), RawJson.of(json), List.of(filter), block, null);
    }
}
