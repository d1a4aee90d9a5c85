/**
 * What the proxy's log looks like and where it goes, where no file of logback's says otherwise. {@link LogSetup} is found by
 * logback as a service. Depends on logback only.
 */
@NullMarked
package io.weir.app.log;

import org.jspecify.annotations.NullMarked;
