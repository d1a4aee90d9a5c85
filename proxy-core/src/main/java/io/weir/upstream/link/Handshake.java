package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker13;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.weir.framing.BodyBuffer;
import io.weir.limit.Reservation;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Opening handshake of a WebSocket to a node. Immutable; holds credentials. */
final class Handshake {

    private final URI url;
    private final HttpHeaders headers;

    /** Prepares the request, as {@link NodeAddress#headers}. */
    Handshake(NodeAddress address, Map<String, String> configured) {
        url = URI.create((address.tls() ? "wss://" : "ws://") + address.hostHeader() + address.target());
        headers = address.headers(Map.of(), configured);
    }

    /**
     * Returns a new handshake.
     *
     * @param frames counts the bytes of an incomplete frame
     */
    Opening begin(int maxFrameBytes, Reservation frames) {
        return new Opening(url, headers, maxFrameBytes, frames);
    }

    /**
     * Handshake in progress: sends the request and judges the answer. A refusal means the same as that status in answer to a call, except
     * that no call was sent. Confined to its event loop.
     */
    static final class Opening extends WebSocketClientHandshaker13 {

        private final boolean fromBrowser;
        private final Reservation frames;
        private @Nullable Consumer<@Nullable Failed> listener;
        private @Nullable HttpResponse head;

        private Opening(URI url, HttpHeaders headers, int maxFrameBytes, Reservation frames) {
            super(url, WebSocketVersion.V13, null, false, headers, maxFrameBytes);
            this.frames = frames;
            fromBrowser = headers.contains(HttpHeaderNames.ORIGIN);
        }

        @Override
        protected FullHttpRequest newHandshakeRequest() {
            FullHttpRequest request = super.newHandshakeRequest();
            if (!fromBrowser) {
                // Nodes compare the origin with a list of web pages. A client without an origin is not a web page.
                request.headers().remove(HttpHeaderNames.ORIGIN);
            }
            return request;
        }

        @Override
        protected WebSocketFrameDecoder newWebsocketDecoder() {
            return new AnswerDecoder(maxFramePayloadLength(), frames);
        }

        void begin(Channel channel, Consumer<@Nullable Failed> opened) {
            listener = opened;
            handshake(channel).addListener(sent -> {
                if (!sent.isSuccess()) {
                    end(refusal("no connection could be made"));
                }
            });
        }

        /** Reads a part of the answer. The caller keeps its ownership. */
        void read(Channel channel, Object message) {
            if (message instanceof HttpResponse response) {
                head = response;
                if (response.decoderResult().isFailure()) {
                    end(refusal("no HTTP"));
                } else if (!response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                    end(verdict(response));
                }
            }
            if (message instanceof LastHttpContent && head != null && listener != null) {
                finish(channel, head);
            }
        }

        private Failed verdict(HttpResponse response) {
            Failed seen = ReplyVerdict.ofHead(response);
            if (seen == null || seen.flaw() == Flaw.UNREQUESTED_CODING) {
                return refusal("HTTP " + response.status().code() + " in place of a WebSocket");
            }
            return new Failed(seen.fault(), Executed.NO, seen.detail(), seen.retryAfterSeconds(), seen.flaw());
        }

        private void finish(Channel channel, HttpResponse response) {
            try {
                finishHandshake(
                        channel,
                        new DefaultFullHttpResponse(
                                response.protocolVersion(),
                                response.status(),
                                Unpooled.EMPTY_BUFFER,
                                response.headers(),
                                new DefaultHttpHeaders()));
            } catch (WebSocketHandshakeException e) {
                end(refusal("no valid answer to the handshake"));
                return;
            }
            end(null);
        }

        private void end(@Nullable Failed problem) {
            Consumer<@Nullable Failed> opened = listener;
            listener = null;
            if (opened != null) {
                opened.accept(problem);
            }
        }

        private static Failed refusal(String detail) {
            return new Failed(Flaw.NO_WEBSOCKET.fault(), Executed.NO, detail, 0, Flaw.NO_WEBSOCKET);
        }
    }

    /**
     * Decoder of a node's frames that counts the bytes of an incomplete frame. If a frame is too large or has no budget, the
     * decoder searches its beginning for the id, which nodes write there. So the call that it answers is known. Confined to its
     * event loop.
     */
    static final class AnswerDecoder extends WebSocket13FrameDecoder {

        private static final int MAX_FRAME_HEAD = 14;
        private static final int LOOKED_AT = 128;
        private static final Pattern ID = Pattern.compile(
                "\\{\\s*(?:\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*,\\s*)?\"id\"\\s*:\\s*\"?([0-9]{1,18})\"?\\s*,");

        private final Reservation reservation;
        private long lostId = -1;
        private boolean gaveUp;

        /**
         * @param reservation counts an incomplete frame; the collector of a complete frame takes the count over; closed with the
         *     decoder
         */
        AnswerDecoder(int maxFrameBytes, Reservation reservation) {
            super(WebSocketDecoderConfig.newBuilder()
                    .maxFramePayloadLength(maxFrameBytes)
                    .expectMaskedFrames(false)
                    .allowMaskMismatch(false)
                    .allowExtensions(false)
                    .closeOnProtocolViolation(false)
                    .build());
            this.reservation = reservation;
        }

        /** Signals that there is no budget for a frame. It has no stack trace, because it occurs under load. */
        static final class OverBudgetException extends DecoderException {

            private static final long serialVersionUID = 1L;

            private OverBudgetException() {
                super("no room for a frame");
            }

            @Override
            public synchronized Throwable fillInStackTrace() {
                return this;
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            super.channelRead(ctx, message);
            if (reservation.taken() > 0) {
                // Complete frames belong to their collector by now, or were dropped.
                reservation.lowerTo(actualReadableBytes());
            }
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
            if (gaveUp) {
                in.skipBytes(in.readableBytes());
                return;
            }
            int from = in.readerIndex();
            int known = out.size();
            int length = Math.min(in.readableBytes(), LOOKED_AT);
            try {
                super.decode(ctx, in, out);
            } catch (CorruptedWebSocketFrameException e) {
                if (e.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG)) {
                    lostId = idIn(in.toString(from, length, ISO_8859_1));
                }
                throw e;
            }
            if (out.size() == known && !count(in.readableBytes())) {
                lostId = idIn(in);
                gaveUp = true;
                in.skipBytes(in.readableBytes());
                throw new OverBudgetException();
            }
        }

        private boolean count(long bytes) {
            long more = bytes - reservation.taken();
            if (more > 0 && bytes <= BodyBuffer.SMALL_BYTES) {
                reservation.add(more);
                return true;
            }
            return more <= 0 || reservation.tryAdd(more);
        }

        @Override
        protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
            super.handlerRemoved0(ctx);
            reservation.close();
        }

        /** Returns the id that the abandoned frame answers; -1 if it is unknown. */
        long lostId() {
            return lostId;
        }

        /** Returns the id that a frame answers; -1 if its beginning does not contain it. */
        static long idIn(ByteBuf content) {
            return idIn(
                    content.toString(content.readerIndex(), Math.min(content.readableBytes(), LOOKED_AT), ISO_8859_1));
        }

        /** Returns the id that an incomplete message answers likewise. */
        static long idIn(BodyBuffer message) {
            return idIn(new String(message.array(), 0, Math.min(message.length(), LOOKED_AT), ISO_8859_1));
        }

        private static long idIn(String beginning) {
            Matcher id = ID.matcher(beginning);
            // The head of a frame may come before it.
            return id.find() && id.start() <= MAX_FRAME_HEAD ? Long.parseLong(id.group(1)) : -1;
        }
    }
}
