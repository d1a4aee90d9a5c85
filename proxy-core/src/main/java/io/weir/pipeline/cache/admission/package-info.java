/**
 * Admission of answers to memory: the conditions, the key, the lifetime and the proof of each. Start at
 * {@link io.weir.pipeline.cache.admission.AdmissionPolicy}.
 */
@NullMarked
package io.weir.pipeline.cache.admission;

import org.jspecify.annotations.NullMarked;
