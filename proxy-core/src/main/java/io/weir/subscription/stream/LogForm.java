package io.weir.subscription.stream;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern PREFIXED_ADDRESS = Pattern.compile("\"[A-Za-z]{1,8}([0-9a-fA-F]{40})\"");
    private static final int MAX_ADDRESS = 50;
    static final LogForm ETHEREUM = new LogForm("address", "topics", "blockHash", LogForm::hex, "");

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
