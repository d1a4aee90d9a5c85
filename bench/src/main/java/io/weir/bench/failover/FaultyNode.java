package io.weir.bench.failover;

import io.netty.channel.EventLoop;
import io.weir.bench.load.server.Ports;
import io.weir.bench.subscription.anvil.AnvilProcess;
import io.weir.bench.subscription.node.NodeEndpoint;
import java.io.IOException;
import java.nio.file.Path;

/** Anvil behind a link of its own. Confined to the thread of the run. */
final class FaultyNode implements NodeEndpoint, AutoCloseable {

    /** Fault of a node, of its link or of its process. */
    enum Fault {
        /** SIGKILL; its address refuses connections until another process listens there. */
        KILLED,
        /** SIGSTOP: takes connections and calls, and answers after SIGCONT. */
        STOPPED,
        /** Each answer is 400 ms late. */
        SLOWED,
        /** Every connection is reset. */
        CUT,
        /** Connections are taken, and nothing passes. */
        SILENCED
    }

    private final String name;
    private final Path anvil;
    private final Path log;
    private final EventLoop loop;
    private final int port;
    private final int nodePort;
    private AnvilProcess process;
    private FaultyLink link;

    FaultyNode(String name, Path anvil, Path folder, EventLoop loop) throws IOException, InterruptedException {
        this.name = name;
        this.anvil = anvil;
        this.log = folder.resolve(name + ".log");
        this.loop = loop;
        this.port = Ports.free();
        this.nodePort = Ports.free();
        this.process = AnvilProcess.start(anvil, nodePort, log);
        this.link = new FaultyLink(loop, port, nodePort);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public int port() {
        return port;
    }

    void begin(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case KILLED -> {
                process.close();
                link.close();
            }
            case STOPPED -> process.signal("STOP");
            case SLOWED -> link.set(FaultyLink.Mode.SLOW);
            case CUT -> link.set(FaultyLink.Mode.CUT);
            case SILENCED -> link.set(FaultyLink.Mode.SILENT);
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    void end(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case KILLED -> {
                process = AnvilProcess.start(anvil, nodePort, log);
                link = new FaultyLink(loop, port, nodePort);
            }
            case STOPPED -> process.signal("CONT");
            case SLOWED, CUT, SILENCED -> link.set(FaultyLink.Mode.PASS);
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    @Override
    public void close() {
        link.close();
        process.close();
    }
}
