/** What tests of several rooms share. */
@NullMarked
package io.weir.testing;

import org.jspecify.annotations.NullMarked;
