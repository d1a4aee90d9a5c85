package io.weir.testing.chain;

import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call of a random client, and what it may be answered. Immutable.
 *
 * @param params as JSON
 */
public record AskedCall(String method, String params) {

    private static final JsonMapper JSON = new JsonMapper();

    /** What a node says that has this state, where the newest block is that of another state. */
    private ChainAnswer answer(ChainState latest, ChainState node) {
        String block = String.format(Locale.ROOT, "\"0x%x\"", latest.head());
        return ChainAnswers.answer(node, method, params.replace("\"latest\"", block));
    }

    /** What a node says now. */
    public ChainAnswer now(ChainState state) {
        return answer(state, state);
    }

    /**
     * Whether an answer is one that a node would have given at some moment.
     *
     * @param states that the chain had in that time, the oldest first
     * @param oldest which of them is the first whose blocks may be answered; older ones may say which block is the newest
     */
    public boolean isAnsweredBy(ChainAnswer answer, List<ChainState> states, int oldest) {
        return isAnsweredBy(answer, states, oldest, ChainAnswer::equals)
                || isAnsweredBy(answer, states, oldest, AskedCall::isSame);
    }

    private boolean isAnsweredBy(
            ChainAnswer answer, List<ChainState> states, int oldest, BiPredicate<ChainAnswer, ChainAnswer> same) {
        boolean latest = params.contains("\"latest\"");
        for (int asked = states.size() - 1; asked >= oldest; asked--) {
            if (same.test(answer, ChainAnswers.answer(states.get(asked), method, params))) {
                return true;
            }
            for (int found = asked; latest && found >= 0; found--) {
                if (same.test(answer, answer(states.get(found), states.get(asked)))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether two answers are the same, whatever the order of members and the spaces in them, or the words of an error. */
    static boolean isSame(ChainAnswer one, ChainAnswer other) {
        return (one.failed() && other.failed())
                || one.equals(other)
                || (one.failed() == other.failed() && JSON.readTree(one.text()).equals(JSON.readTree(other.text())));
    }
}
