package io.weir.devnet.rpc;

import io.weir.devnet.chain.BlobGas;
import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.Fees;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.Failures;
import io.weir.devnet.parameter.Parameters;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The methods for prices of gas, present and past. Thread-safe. */
final class FeeMethods {
    private static final long MAX_BLOCKS = 1024;
    private static final int MAX_PERCENTILES = 100;

    private final Chain chain;
    private final BlockLookup blocks;

    FeeMethods(Chain chain, BlockLookup blocks) {
        this.chain = chain;
        this.blocks = blocks;
    }

    void addTo(MethodSink table) {
        table.add("eth_gasPrice", 0, 0, none -> quantity(Fees.SUGGESTED_TIP.add(nextBaseFee(chain.head()))));
        table.add("eth_maxPriorityFeePerGas", 0, 0, none -> quantity(Fees.SUGGESTED_TIP));
        table.add("eth_feeHistory", 2, 3, this::history);
    }

    private JsonNode history(Parameters parameters) {
        long count = Math.min(parameters.countOrDecimal(0), MAX_BLOCKS);
        BlockParameter newest = parameters.blockNumber(1);
        List<Double> percentiles = parameters.numbers(2);
        checkPercentiles(percentiles);
        long last = blocks.number(newest);
        if (last > chain.head().number()) {
            throw Failures.failed("request beyond head block: requested " + last + ", head "
                    + chain.head().number());
        }
        long first = Math.max(0, last - count + 1);
        ObjectNode history = JsonNodeFactory.instance.objectNode();
        history.put("oldestBlock", Quantity.encode(count == 0 ? 0 : first));
        if (count > 0) {
            fill(history, first, last, percentiles);
        }
        return history;
    }

    private void fill(ObjectNode history, long first, long last, List<Double> percentiles) {
        ArrayNode baseFees = history.putArray("baseFeePerGas");
        ArrayNode gasRatios = history.putArray("gasUsedRatio");
        ArrayNode blobFees = history.putArray("baseFeePerBlobGas");
        ArrayNode blobRatios = history.putArray("blobGasUsedRatio");
        ArrayNode rewards = percentiles.isEmpty() ? null : history.putArray("reward");
        for (long number = first; number <= last; number++) {
            ChainBlock block = blocks.require(BlockParameter.at(number));
            baseFees.add(text(block.header().baseFeePerGas()));
            gasRatios.add((double) block.header().gasUsed() / block.header().gasLimit());
            blobFees.add(text(BlobGas.price(block.header())));
            blobRatios.add((double) BlobGas.used(block.header()) / BlobGas.limit(block.fork()));
            if (rewards != null) {
                rewards.add(rewards(block, percentiles));
            }
            if (number == last) {
                baseFees.add(text(Fees.nextBaseFee(block.header())));
                blobFees.add(text(BlobGas.nextPrice(block.header())));
            }
        }
    }

    /** For each percentile of the gas used, the tip of the transaction that used it, the lowest tips first. */
    private static ArrayNode rewards(ChainBlock block, List<Double> percentiles) {
        ArrayNode rewards = JsonNodeFactory.instance.arrayNode();
        BigInteger baseFee = Objects.requireNonNullElse(block.header().baseFeePerGas(), BigInteger.ZERO);
        List<Tip> tips = block.transactions().stream()
                .map(mined -> new Tip(mined.price().subtract(baseFee), mined.gasUsed()))
                .sorted((one, other) -> one.wei().compareTo(other.wei()))
                .toList();
        for (double percentile : percentiles) {
            long threshold = (long) (block.header().gasUsed() * percentile / 100);
            long sum = 0;
            BigInteger reward = BigInteger.ZERO;
            for (Tip tip : tips) {
                reward = tip.wei();
                sum += tip.gasUsed();
                if (sum >= threshold) {
                    break;
                }
            }
            rewards.add(text(reward));
        }
        return rewards;
    }

    /** The price that a transaction paid for a unit of gas beyond the base fee. */
    private record Tip(BigInteger wei, long gasUsed) {}

    private static void checkPercentiles(List<Double> percentiles) {
        if (percentiles.size() > MAX_PERCENTILES) {
            throw Failures.failed("invalid reward percentile: over the query limit " + MAX_PERCENTILES);
        }
        for (int i = 0; i < percentiles.size(); i++) {
            double percentile = percentiles.get(i);
            if (!(percentile >= 0 && percentile <= 100)) {
                throw Failures.failed("invalid reward percentile: " + decimal(percentile));
            }
            if (i > 0 && percentile <= percentiles.get(i - 1)) {
                throw Failures.failed("invalid reward percentile: #" + (i - 1) + ":" + decimal(percentiles.get(i - 1))
                        + " >= #" + i + ":" + decimal(percentile));
            }
        }
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%f", number);
    }

    private static BigInteger nextBaseFee(ChainBlock head) {
        return Objects.requireNonNullElse(Fees.nextBaseFee(head.header()), BigInteger.ZERO);
    }

    private static JsonNode quantity(BigInteger wei) {
        return StringNode.valueOf(Quantity.encode(wei));
    }

    private static String text(@Nullable BigInteger wei) {
        return wei == null ? "0x0" : Quantity.encode(wei);
    }
}
