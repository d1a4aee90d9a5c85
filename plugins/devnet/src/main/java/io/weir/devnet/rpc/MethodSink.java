package io.weir.devnet.rpc;

import io.weir.devnet.parameter.Parameters;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Takes the methods that a group of them offers. Confined to one thread. */
interface MethodSink {

    /**
     * Adds a method.
     *
     * @param required number of parameters that a call must have
     * @param maximum number of parameters that a call may have
     * @throws IllegalArgumentException if a method of this name exists
     */
    void add(String name, int required, int maximum, Function<Parameters, JsonNode> answer);
}
