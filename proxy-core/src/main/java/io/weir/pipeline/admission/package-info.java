/**
 * Admission of answers to memory: the conditions, the key, the lifetime and the proof of each. Start at
 * {@link io.weir.pipeline.admission.AdmissionPolicy}.
 */
@NullMarked
package io.weir.pipeline.admission;

import org.jspecify.annotations.NullMarked;
