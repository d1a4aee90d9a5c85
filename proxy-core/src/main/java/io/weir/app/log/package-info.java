/**
 * The format and target of the proxy's log, unless a configuration file of logback overrides them. Logback finds {@link
 * LogSetup} as a service. Depends on logback, its encoder of JSON, and the settings only.
 */
@NullMarked
package io.weir.app.log;

import org.jspecify.annotations.NullMarked;
