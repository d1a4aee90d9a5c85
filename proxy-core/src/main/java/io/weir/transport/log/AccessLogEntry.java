package io.weir.transport.log;

import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.RequestAnswer;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

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

    private final AccessWriter log;
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

    /** @param timeMillis the time of the beginning, since 1970 */
    public AccessLogEntry(AccessWriter log, Protocol protocol, @Nullable InetAddress client, long timeMillis) {
        this.log = log;
        this.protocol = protocol;
        this.client = client;
        this.timeMillis = timeMillis;
        this.beginNanos = System.nanoTime();
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
    void writeTo(JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("time", AccessWriter.TIME.format(Instant.ofEpochMilli(timeMillis)));
        text(json, "client", client == null ? null : client.getHostAddress());
        text(json, "network", network);
        text(json, "key", keyName);
        text(json, "protocol", protocol.name().toLowerCase(Locale.ROOT));
        if (calls > 0) {
            json.writeNumberProperty("calls", calls);
            json.writeArrayPropertyStart("methods");
            methods.forEach(json::writeString);
            json.writeEndArray();
        }
        if (status > 0) {
            json.writeNumberProperty("status", status);
        }
        if (errorCode != null) {
            json.writeNumberProperty("error", errorCode);
            json.writeNumberProperty("errors", errors);
        }
        json.writeNumberProperty("in", bytesIn);
        json.writeNumberProperty("out", bytesOut);
        json.writeNumberProperty("ms", BigDecimal.valueOf(Math.max(0, nanos / 1000), 3));
        text(json, "upstream", upstream);
        text(json, "cache", cache);
        if (!sent) {
            json.writeBooleanProperty("unsent", true);
        }
        json.writeEndObject();
    }

    private static void text(JsonGenerator json, String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }
}
