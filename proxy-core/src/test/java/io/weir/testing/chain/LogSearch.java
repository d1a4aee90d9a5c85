package io.weir.testing.chain;

import io.weir.testing.chain.TestBlock.LogText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Finds the logs that a filter describes. Pure. */
final class LogSearch {

    private LogSearch() {}

    static ChainAnswer answer(ChainState chain, JsonNode filter) {
        List<String> found = new ArrayList<>();
        if (filter.has("blockHash")) {
            TestBlock block = chain.find(filter.get("blockHash").asString());
            if (block == null) {
                return ChainAnswer.error(-32000, "unknown block");
            }
            search(block, filter, found);
        } else {
            TestBlock from = ChainAnswers.block(chain, filter.path("fromBlock"));
            TestBlock to = ChainAnswers.block(chain, filter.path("toBlock"));
            if (from == null || to == null || from.number() > to.number()) {
                return ChainAnswer.error(-32602, "invalid block range params");
            }
            for (long number = from.number(); number <= to.number(); number++) {
                search(chain.at(number), filter, found);
            }
        }
        return ChainAnswer.result("[" + String.join(",", found) + "]");
    }

    private static void search(TestBlock block, JsonNode filter, List<String> found) {
        for (LogText log : block.logs()) {
            if (matches(filter.path("address"), log.log().address().hex()) && hasTopics(filter.path("topics"), log)) {
                found.add(log.text());
            }
        }
    }

    private static boolean hasTopics(JsonNode wanted, LogText log) {
        for (int i = 0; i < wanted.size(); i++) {
            String topic =
                    i < log.log().topics().size() ? log.log().topics().get(i).hex() : "";
            if (topic.isEmpty() || !matches(wanted.get(i), topic)) {
                return false;
            }
        }
        return true;
    }

    /** Nothing matches all, and of a list any. */
    private static boolean matches(JsonNode wanted, String value) {
        if (wanted.isMissingNode() || wanted.isNull() || (wanted.isArray() && wanted.isEmpty())) {
            return true;
        }
        if (wanted.isArray()) {
            return wanted.valueStream().anyMatch(each -> each.asString().equals(value));
        }
        return wanted.asString().equals(value);
    }
}
