/** Subscriptions as clients of the whole proxy see them. */
package io.weir.app.subscription;
