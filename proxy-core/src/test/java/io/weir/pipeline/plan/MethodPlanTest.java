package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MethodPlanTest {

    @Test
    void controlCharactersInTheNameOfAMethodAreNotToldBack() {
        assertThat(MethodPlan.doesNotExist("eth_\u0000x\u001b[31m\u202e\u2028é")
                        .error()
                        .message())
                .isEqualTo("the method eth_\ufffdx\ufffd[31m\ufffd\ufffdé does not exist/is not available");
        assertThat(MethodPlan.doesNotExist("eth_世界").error().message())
                .isEqualTo("the method eth_世界 does not exist/is not available");
    }
}
