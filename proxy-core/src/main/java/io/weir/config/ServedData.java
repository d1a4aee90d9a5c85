package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.api.setting.TextRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods and data that one node serves, as configured. Immutable.
 *
 * @param stateBlocks how many of the newest blocks it has the state of; {@link #ALL}, or {@link #LEARNED}
 * @param logsFrom the oldest block whose transactions, receipts and logs it has, 0 for all of them; or {@link #LEARNED}
 */
public record ServedData(
        @About("Methods that the node serves; it gets no others.")
        @Setting(value = "[\"*\"]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
        List<String> methods,

        @About("Whether the node has the state, receipts and logs of all blocks.") @Setting("false")
        boolean archive,

        @About("Blocks whose state and traces the node has; `learned` finds out from the node's errors.")
        @Setting(value = "learned", path = "state-from", form = StateFrom.class)
        long stateBlocks,

        @About("Oldest block with transactions, receipts and logs, 0 for all; `learned` finds out from errors.")
        @Setting(value = "learned", form = LogsFrom.class)
        long logsFrom)
        implements Checked {

    /** The node has the state of all blocks. */
    public static final long ALL = Long.MAX_VALUE;

    /** Not configured: the proxy learns it from the node's answers. */
    public static final long LEARNED = -1;

    public ServedData {
        stateBlocks = archive ? ALL : stateBlocks;
        logsFrom = archive ? 0 : logsFrom;
    }

    @Override
    public void check(Block block) {
        boolean learned = block.look("state-from").is("learned")
                && block.look("logs-from").is("learned");
        if (archive && !learned) {
            block.look("archive").wrong("false beside state-from or logs-from: an archive has everything");
        }
    }

    /** The number of the newest blocks whose state a node has. */
    static final class StateFrom extends Forms.MeaningForm<Long> {

        StateFrom() {
            super(
                    TextRule.matching("learned|all|head-[1-9][0-9]{0,11}", "learned, all, or such as head-128"),
                    true,
                    false,
                    text -> text != null && text.equals("all")
                            ? ALL
                            : learned(text == null ? null : text.replace("head-", "")));
        }

        static long learned(@Nullable String text) {
            return text == null || text.equals("learned") ? LEARNED : Long.parseLong(text);
        }
    }

    /** The oldest block whose logs a node has. */
    static final class LogsFrom extends Forms.MeaningForm<Long> {

        LogsFrom() {
            super(
                    TextRule.matching("learned|0|[1-9][0-9]{0,11}", "learned, or the number of a block"),
                    true,
                    false,
                    StateFrom::learned);
        }
    }
}
