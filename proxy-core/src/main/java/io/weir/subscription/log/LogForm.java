package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The form in which nodes show logs. Immutable and thread-safe.
 *
 * @param address the name of the address
 * @param topics the name of the list of topics
 * @param blockHash the name of the block's hash
 * @param normal returns an address, topic or hash in normal form; null if it is none
 * @param added members that are added at the end of each log, with a comma before each
 */
public record LogForm(
        NameTable address,
        NameTable topics,
        NameTable blockHash,
        Function<RawJson, @Nullable RawJson> normal,
        String added) {

    static final LogForm ETHEREUM = new LogForm("address", "topics", "blockHash", LogForm::hex, "");

    /** Creates a form of these names. */
    public LogForm(
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
        return text == null ? null : text.bytes();
    }

    /** Returns a value in normal form; null if there is none. */
    @Nullable
    RawJson normalised(@Nullable RawJson value) {
        return value == null ? null : normal.apply(value);
    }

    /** Returns a log with the members that are added. */
    RawJson complete(RawJson log) {
        String text = added.isEmpty() ? "" : log.toString();
        return added.isEmpty() ? log : RawJson.of(text.substring(0, text.length() - 1) + added + '}');
    }
}
