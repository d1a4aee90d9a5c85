/** Measures how many wrong changes of the code the tests catch. Start reading at {@link io.weir.bench.mutants.Mutants}. */
@NullMarked
package io.weir.bench.mutants;

import org.jspecify.annotations.NullMarked;
