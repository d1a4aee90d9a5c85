package io.weir.devnet.rpc;

import io.weir.api.RpcException;
import io.weir.devnet.chain.Chain;
import io.weir.devnet.mining.BlockMaker;
import io.weir.devnet.mining.Mempool;
import io.weir.devnet.parameter.Parameters;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** All methods by name. Immutable once made; thread-safe. */
public final class MethodTable {
    private final Map<String, Method> methods = new HashMap<>();

    /** A method: how many parameters it needs and takes, and what it answers. */
    private record Method(int required, int maximum, Function<Parameters, JsonNode> answer) {}

    /** The methods over a chain. */
    public MethodTable(Chain chain, Mempool pool, BlockMaker maker, LogBounds logBounds) {
        BlockLookup blocks = new BlockLookup(chain, maker);
        new NodeMethods(chain).addTo(this::add);
        new BlockMethods(blocks).addTo(this::add);
        new TransactionMethods(chain, blocks, pool).addTo(this::add);
        new StateMethods(blocks, pool).addTo(this::add);
        new CallMethods(blocks).addTo(this::add);
        new LogMethods(chain, blocks, logBounds).addTo(this::add);
        new FeeMethods(chain, blocks).addTo(this::add);
    }

    private void add(String name, int required, int maximum, Function<Parameters, JsonNode> answer) {
        if (methods.put(name, new Method(required, maximum, answer)) != null) {
            throw new IllegalArgumentException("method: " + name + " twice (expected: once)");
        }
    }

    /** The names of all methods. */
    public Set<String> names() {
        return Set.copyOf(methods.keySet());
    }

    /**
     * Answers a call.
     *
     * @throws RpcException when the answer is an error
     */
    public JsonNode call(String name, JsonNode params) {
        Method method = methods.get(name);
        if (method == null) {
            throw new RpcException(
                    RpcException.METHOD_NOT_FOUND, "the method " + name + " does not exist/is not available");
        }
        return method.answer().apply(Parameters.of(params, method.required(), method.maximum()));
    }
}
