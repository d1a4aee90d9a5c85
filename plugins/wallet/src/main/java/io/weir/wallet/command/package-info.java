/**
 * The commands {@code java -jar weir.jar plugin wallet create|import|delete|list|audit}, by which an operator makes the seeds of tenants and
 * verifies the audit log. They share the plugin's settings and folder with a proxy that runs, and need none.
 */
@NullMarked
package io.weir.wallet.command;

import org.jspecify.annotations.NullMarked;
