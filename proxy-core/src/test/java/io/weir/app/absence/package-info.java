/** Answers that say that there is nothing, or that are no answers to their questions. */
package io.weir.app.absence;
