/**
 * The catalogue of methods, one row for each. A new method is a new row in one of the {@code …Methods} classes; other packages
 * read its columns. Pure. Start at {@link io.weir.method.catalogue.MethodCatalogue}.
 */
@NullMarked
package io.weir.method.catalogue;

import org.jspecify.annotations.NullMarked;
