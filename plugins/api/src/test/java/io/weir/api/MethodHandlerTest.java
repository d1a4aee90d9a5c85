package io.weir.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;

class MethodHandlerTest {

    @Test
    void aHandlerOfOneMethodServesItEverywhere() {
        MethodHandler handler =
                MethodHandler.of("test_a", call -> CompletableFuture.completedFuture(NullNode.getInstance()));
        assertThat(handler.methods()).containsExactly("test_a");
        assertThat(handler.networkKinds()).isEmpty();
        assertThat(handler.handle(null).toCompletableFuture().join()).isSameAs(NullNode.getInstance());
    }
}
