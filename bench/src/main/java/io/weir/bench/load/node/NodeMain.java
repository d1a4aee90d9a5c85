package io.weir.bench.load.node;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;

/**
 * The node that the proxies ask: the bench's chain over HTTP, fast, with counters, and with ways to be slow or to fail.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.load.node.NodeMain NODES
 * </pre>
 *
 * <p>Says {@code node: PORT PORT …} when it listens: so many nodes as were asked for, each with its own {@link NodeMode}. Beside
 * calls ({@code POST}) it answers {@code GET /counters}, and {@code GET /mode?latency-ms=…&error=…&reset=…}.
 */
public final class NodeMain {

    private NodeMain() {}

    /** Listens until the process is ended. */
    public static void main(String[] args) throws InterruptedException {
        int nodes = args.length == 0 ? 1 : Integer.parseInt(args[0]);
        Answers answers = new Answers(new BenchChain());
        ListeningLoop loop = new ListeningLoop();
        StringBuilder line = new StringBuilder("node:");
        for (int i = 0; i < nodes; i++) {
            NodeMode mode = new NodeMode();
            int port = loop.listen(channel -> channel.pipeline().addLast(new NodeHandler(answers, mode)));
            line.append(' ').append(port);
        }
        System.out.println(line);
    }
}
