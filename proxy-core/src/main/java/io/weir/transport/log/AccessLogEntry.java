package io.weir.transport.log;

import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.RequestAnswer;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log entry of one HTTP request or one WebSocket message. Confined to its event loop until it ends; then to the
 * thread that writes it.
 */
public final class AccessLogEntry {

    /** The protocol of a request. */
    public enum Protocol {
        /** HTTP/1.1 or HTTP/1.0. */
        HTTP,
        /** HTTP/2. */
        HTTP2,
        /** A WebSocket message. */
        WEBSOCKET
    }

    private static final int MAX_NAMES = 5;
    private static final int MAX_NAME = 64;

    private final AccessLog log;
    private final Protocol protocol;
    private final @Nullable InetAddress client;
    private final long timeMillis;
    private final long beginNanos;
    private final Set<String> methods = new LinkedHashSet<>(2);

    private @Nullable String network;
    private @Nullable String keyName;
    private int calls;
    private int errors;
    private @Nullable Integer errorCode;
    private @Nullable String upstream;
    private @Nullable String cache;
    private long bytesIn;
    private long bytesOut;
    private int status;
    private boolean sent;
    private long nanos;
    private boolean ended;

    /**
     * Creates an entry for a request that has just begun.
     *
     * @param timeMillis the time of the beginning, since 1970
     */
    public AccessLogEntry(AccessLog log, Protocol protocol, @Nullable InetAddress client, long timeMillis) {
        this.log = log;
        this.protocol = protocol;
        this.client = client;
        this.timeMillis = timeMillis;
        this.beginNanos = System.nanoTime();
    }

    /** Returns the address of the client; null if unknown. */
    public @Nullable InetAddress client() {
        return client;
    }

    public void admitted(String networkName, String callerName) {
        network = networkName;
        keyName = callerName;
    }

    /** Records bytes of the body, as received. */
    public void received(long bytes) {
        bytesIn += bytes;
    }

    public void requested(List<RequestItem> items) {
        calls = items.size();
        for (RequestItem item : items) {
            if (methods.size() == MAX_NAMES) {
                return;
            }
            if (item instanceof RpcCall call) {
                String name = call.method();
                methods.add(name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name);
            }
        }
    }

    public void answered(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            add(one.reply());
            CallContext context = one.context();
            if (context != null) {
                CallTrace trace = context.trace();
                upstream = trace.upstreamId();
                cache = trace.cacheStatus();
            }
        } else if (answer instanceof RequestAnswer.Many many) {
            many.replies().forEach(this::add);
        } else if (answer instanceof RequestAnswer.Refused refused) {
            add(refused.failure());
        }
    }

    private void add(RpcReply reply) {
        if (reply instanceof RpcReply.Failure failure) {
            errors++;
            errorCode = errorCode == null ? Integer.valueOf(failure.error().code()) : errorCode;
        }
    }

    /**
     * Ends the entry, the first time.
     *
     * @param httpStatus the status of the answer; 0 for none
     * @param bytes of the answer, including its headers
     * @param whole whether it was sent completely
     */
    public void end(int httpStatus, long bytes, boolean whole) {
        if (!ended) {
            ended = true;
            status = httpStatus;
            bytesOut = bytes;
            sent = whole;
            nanos = System.nanoTime() - beginNanos;
            log.add(this);
        }
    }

    /** Writes the entry as a line of JSON. */
    void writeTo(AccessLine line) {
        line.begin(timeMillis);
        line.text("client", client == null ? null : client.getHostAddress());
        line.text("network", network);
        line.text("key", keyName);
        line.text("protocol", protocol.name().toLowerCase(Locale.ROOT));
        if (calls > 0) {
            line.number("calls", calls);
            line.texts("methods", methods);
        }
        if (status > 0) {
            line.number("status", status);
        }
        if (errorCode != null) {
            line.number("error", errorCode);
            line.number("errors", errors);
        }
        line.number("in", bytesIn);
        line.number("out", bytesOut);
        line.millis("ms", nanos);
        line.text("upstream", upstream);
        line.text("cache", cache);
        if (!sent) {
            line.flag("unsent");
        }
        line.end();
    }
}
