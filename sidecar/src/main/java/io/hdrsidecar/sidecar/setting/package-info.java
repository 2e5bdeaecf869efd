/**
 * A setting is a component of a record, with an annotation that says all there is to say.
 *
 * <p>Input: records of the stages, and texts by key. Output: the records with values, checked, and
 * the list of settings from which flags, variables, help and documents are made.
 */
@NullMarked
package io.hdrsidecar.sidecar.setting;

import org.jspecify.annotations.NullMarked;
