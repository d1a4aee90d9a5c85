/**
 * Certificates and keys from PEM files, and the TLS contexts made of them, renewed while the proxy runs. Knows no socket.
 * Start at {@link io.weir.tls.ServerCertificates}.
 */
@NullMarked
package io.weir.tls;

import org.jspecify.annotations.NullMarked;
