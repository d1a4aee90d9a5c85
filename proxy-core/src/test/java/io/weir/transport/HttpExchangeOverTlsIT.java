package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Requests and answers in order, over TLS: the same bytes give the same answers. */
class HttpExchangeOverTlsIT extends HttpExchangeIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }

    /** In TLS the end of a side is the end of the connection. */
    @Override
    @Test
    void aClientThatClosesItsSideIsStillAnswered() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(held(1));
            connection.closeOutput();
            assertThat(connection.isEnded()).isTrue();
        }
    }
}
