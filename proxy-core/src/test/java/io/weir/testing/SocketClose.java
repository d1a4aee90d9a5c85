package io.weir.testing;

/** Close frame with which the other side of a WebSocket ended the connection. Immutable. */
public record SocketClose(int code, String reason) {}
