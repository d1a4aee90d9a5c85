package io.weir.pipeline.range;

import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of a range by a node: what the node finds too large, and the length to try next. Immutable.
 *
 * <p>A node may name a length or propose a range. It is used if it is shorter than the refused range. Otherwise the next length is the
 * largest round number that is at least half of the refused length, or else half of it: limits are round numbers most often.
 *
 * @param length blocks to ask for next, fewer than were refused; at least 1
 */
public record RangeRefusal(Reason reason, long length) {

    /** Quantity that is too large. */
    public enum Reason {
        /** The number of blocks, whatever logs they have. */
        BLOCKS,
        /** The logs found, or the time that the search takes. */
        RESULTS,
        /** The node does not say. */
        UNKNOWN
    }

    /** Characters of a message that are read. */
    private static final int MAX_CHARS = 1024;

    private static final Pattern RESULTS = Pattern.compile(
            "result|returned more|response size|response too|response is too|too many logs|matched by query|timeout|timed out");
    private static final Pattern BLOCKS = Pattern.compile("range|block");
    private static final Pattern FILTER = Pattern.compile("address|topic|batch");

    /** Range that a node proposes. */
    private static final Pattern PROPOSAL =
            Pattern.compile("\\[\\s?(0x[0-9a-f]{1,15}),\\s?(0x[0-9a-f]{1,15})\\s?]", Pattern.CASE_INSENSITIVE);

    /** Decimal number, with separators or with the letter k. No part of it can match in two different ways. */
    private static final Pattern NUMBER =
            Pattern.compile("(?<![\\w.,-])(\\d{1,3}(?:[,_]\\d{3}){1,4}|\\d{1,15})\\s?(k\\b)?(?!\\w|[.,]\\d)");

    /** Returns the refusal in an outcome; null if it is something else, or if a shorter range would be refused likewise. */
    public static @Nullable RangeRefusal of(NodeOutcome outcome, BlockRange asked) {
        if (outcome instanceof Failed failed) {
            return failed.fault() == Fault.CALL_TOO_LARGE ? new RangeRefusal(Reason.UNKNOWN, shorter(asked)) : null;
        }
        Answered answered = (Answered) outcome;
        boolean tooLarge = answered.verdict() != null && answered.verdict().is(ErrorClass.TOO_LARGE);
        return tooLarge && answered.reply() instanceof RpcReply.Failure failure
                ? of(failure.error().message(), asked)
                : null;
    }

    /** Returns whether an outcome that is no known refusal may be one: a node's error that says nothing else for certain. */
    static boolean mayBe(NodeOutcome outcome) {
        if (outcome instanceof Failed failed) {
            return failed.said() != null;
        }
        Verdict verdict = ((Answered) outcome).verdict();
        return verdict != null && (verdict.is(ErrorClass.UNKNOWN) || verdict.isMistakeByCode());
    }

    /** Returns the refusal that leaves half of a range of several blocks. */
    static RangeRefusal halving(BlockRange asked) {
        return new RangeRefusal(Reason.UNKNOWN, Math.max(1, asked.length() / 2));
    }

    private static @Nullable RangeRefusal of(String message, BlockRange asked) {
        String text =
                message.substring(0, Math.min(MAX_CHARS, message.length())).toLowerCase(Locale.ROOT);
        if (RESULTS.matcher(text).find()) {
            long proposed = proposed(text, asked);
            return new RangeRefusal(Reason.RESULTS, proposed > 0 ? proposed : Math.max(1, asked.length() / 2));
        }
        if (BLOCKS.matcher(text).find()) {
            long named = Math.max(proposed(text, asked), named(text, asked));
            return new RangeRefusal(Reason.BLOCKS, named > 0 ? named : shorter(asked));
        }
        return FILTER.matcher(text).find() ? null : new RangeRefusal(Reason.UNKNOWN, shorter(asked));
    }

    /** Returns the length of the range that a node proposes; 0 if it proposes none that is shorter. */
    private static long proposed(String text, BlockRange asked) {
        Matcher proposal = PROPOSAL.matcher(text);
        if (!proposal.find()) {
            return 0;
        }
        long length = Long.decode(proposal.group(2)) - Long.decode(proposal.group(1)) + 1;
        return length > 0 && length < asked.length() ? length : 0;
    }

    /**
     * Returns the largest number in a message that may be a limit; 0 if there is none. The ends of the range, and its length, are
     * repetitions of the call.
     */
    private static long named(String text, BlockRange asked) {
        long largest = 0;
        Matcher numbers = NUMBER.matcher(text);
        while (numbers.find()) {
            long number = Long.parseLong(numbers.group(1).replace(",", "").replace("_", ""))
                    * (numbers.group(2) == null ? 1 : 1000);
            boolean repeated = number == asked.from() || number == asked.to() || number >= asked.length() - 1;
            largest = repeated ? largest : Math.max(largest, number);
        }
        return largest;
    }

    /** Returns the length to try after a refusal without a number. */
    private static long shorter(BlockRange asked) {
        long length = asked.length();
        long power = 1;
        while (power <= length / 10) {
            power *= 10;
        }
        // From the largest round number below the refused length downwards.
        for (long round : new long[] {5 * power, 2 * power, power, power / 2}) {
            if (round < length && round >= (length + 1) / 2) {
                return round;
            }
        }
        return Math.max(1, length / 2);
    }
}
