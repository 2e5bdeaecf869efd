/**
 * All that is configurable, from flag, environment, file or default.
 *
 * <p>Input: flags, environment variables and a YAML file. Output: one immutable {@link
 * io.hdrsidecar.sidecar.config.SidecarConfig}, whose parts go to the constructors of the stages, or
 * every problem at once. {@link io.hdrsidecar.sidecar.config.Settings} is the one list of settings
 * that flags, variables, file keys and the help are made from; the parts declare them.
 */
@NullMarked
package io.hdrsidecar.sidecar.config;

import org.jspecify.annotations.NullMarked;
