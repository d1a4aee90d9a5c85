package io.weir.subscription.stream;

import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.params.EthereumParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.ParamCounts;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.SubscriptionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Blocks, logs and filters of few addresses and topics, and limits on these. Pure. */
public final class MadeLogs {

    /** The form of Ethereum's notifications. */
    public static final SubscriptionRequest.Form NOTIFICATIONS = SubscriptionRequest.Form.of(
            SubscriptionForm.ETHEREUM, SubscriptionForm.ETHEREUM.heads().topic());

    private MadeLogs() {}

    /** Returns an address as JSON. */
    public static String address(int number) {
        return "\"0x%040x\"".formatted(number);
    }

    /** Returns a topic as JSON. */
    public static String topic(int number) {
        return "\"0x%064x\"".formatted(number);
    }

    /** Returns a block of a branch. */
    public static BlockLink block(long number, int branch) {
        return new BlockLink(number, hash(number, branch), hash(number - 1, branch));
    }

    private static String hash(long number, int branch) {
        return "0x%032x%032x".formatted(branch, number);
    }

    /** A log by its address and its topics. */
    public static String log(BlockLink block, int index, int... addressAndTopics) {
        List<String> topics = new ArrayList<>();
        for (int i = 1; i < addressAndTopics.length; i++) {
            topics.add(topic(addressAndTopics[i]));
        }
        return "{\"address\":" + address(addressAndTopics[0]) + ",\"topics\":" + topics
                + ",\"data\":\"0x\",\"blockHash\":\"" + block.hash() + "\",\"logIndex\":\"0x"
                + Integer.toHexString(index) + "\",\"removed\":false}";
    }

    /** Returns the logs of a block. */
    public static BlockLogs logs(BlockLink block, List<String> logs) {
        String text = logs.stream().collect(Collectors.joining(",", "[", "]"));
        return Objects.requireNonNull(BlockLogs.read(block, RawJson.of(text)));
    }

    /** Returns limits with so many addresses and topics by key, and so many bytes of all. */
    public static CriteriaLimits limits(int maxPerKey, Meters meters, Budget memory) {
        return new CriteriaLimits(maxPerKey, meters, "net", memory);
    }

    /** Returns the criteria of a filter. */
    public static LogCriteria criteria(String filter) {
        try {
            return LogCriteria.read(EthereumParams.LOG_FILTER.kind().normalise(RawJson.of(filter), new ParamCounts()));
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
