package io.weir.bench.subscription.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class HeadCheckTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final ForkingChain chain = new ForkingChain(1, 5, 1000);
    private final HeadCheck check = new HeadCheck(chain, chain.head().event());

    @Test
    void headsInOrderAndAToldReorganisationAreRight() throws Violation {
        tell(chain.extend(1));
        tell(chain.extend(1));
        tell(chain.extend(1));
        Block tip = chain.reorganise(2, 3);
        tell(before(before(tip)));
        tell(before(tip));
        tell(tip);

        assertThatCode(() -> check.end(chain.head())).doesNotThrowAnyException();
        assertThat(check.reorganisations()).isEqualTo(1);
        assertThat(check.deepest()).isEqualTo(2);
    }

    @Test
    void hashesOfAFilterAreHeadsToo() throws Violation {
        Block first = chain.extend(1);
        chain.extend(1);
        Block third = chain.extend(1);
        check.told(JSON.valueToTree(first.hash()));

        assertThatThrownBy(() -> check.told(JSON.valueToTree(third.hash())))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("gap");
    }

    @Test
    void aBranchThatReturnsIsToldAgain() throws Violation {
        tell(chain.extend(1));
        Block first = chain.extend(1);
        tell(first);
        tell(chain.reorganise(1, 1));
        Block next = chain.returnTo(first, 1);
        tell(first);
        tell(next);

        check.end(next);
    }

    @Test
    void aReorganisationMayDropMoreThanWasTold() throws Violation {
        tell(chain.extend(1));
        Block tip = chain.reorganise(3, 4);
        tell(before(before(before(tip))));
        tell(before(before(tip)));

        assertThat(check.heads()).isEqualTo(3);
    }

    @Test
    void aGapIsFound() throws Violation {
        tell(chain.extend(1));
        chain.extend(1);

        assertViolation(chain.extend(1), "gap");
    }

    @Test
    void aGapAfterAReorganisationIsFound() throws Violation {
        tell(chain.extend(1));
        tell(chain.extend(1));

        assertViolation(chain.reorganise(1, 2), "gap");
    }

    @Test
    void aDuplicateIsFound() throws Violation {
        Block block = chain.extend(1);
        tell(block);
        tell(chain.extend(1));

        assertViolation(block, "duplicate");
    }

    @Test
    void aBlockOnABranchThatWasLeftIsFound() throws Violation {
        tell(chain.extend(1));
        Block left = chain.extend(1);
        tell(left);
        tell(chain.reorganise(1, 1));

        assertViolation(chain.returnTo(left, 1), "wrong order");
    }

    @Test
    void aMissingLastHeadIsFound() throws Violation {
        tell(chain.extend(1));
        chain.extend(1);

        assertThatThrownBy(() -> check.end(chain.head()))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("missing");
    }

    @Test
    void aSubscriptionThatBeganAtTheLastHeadNeedsNoHead() throws Violation {
        check.end(chain.head());
    }

    @Test
    void aHeadWithAnotherMemberIsFound() {
        ObjectNode head = (ObjectNode) JSON.readTree(chain.extend(1).head());
        head.put("size", "0x1");

        assertThatThrownBy(() -> check.told(head)).isInstanceOf(Violation.class).hasMessageContaining("size");
    }

    @Test
    void aBlockThatIsNotOfTheChainIsFound() {
        assertThatThrownBy(() -> check.told(JSON.createObjectNode().put("hash", "0x00")))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("expected: a block of the chain");
    }

    private void tell(Block block) throws Violation {
        check.told(JSON.readTree(block.head()));
    }

    private void assertViolation(Block block, String kind) {
        assertThatThrownBy(() -> tell(block)).isInstanceOf(Violation.class).hasMessageContaining(kind);
    }

    private static Block before(Block block) {
        return Objects.requireNonNull(block.parent(), "parent");
    }
}
