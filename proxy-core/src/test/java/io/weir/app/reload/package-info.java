/** Tests of a configuration that changes while the proxy runs. */
@NullMarked
package io.weir.app.reload;

import org.jspecify.annotations.NullMarked;
