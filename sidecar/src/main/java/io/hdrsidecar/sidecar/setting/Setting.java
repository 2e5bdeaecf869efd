package io.hdrsidecar.sidecar.setting;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting, whose value the component of the record is. Its flag, its environment
 * variable, its key in the file, its line in {@code --help}, its row in the documents, its default
 * and its check follow from this, in every record that {@code SidecarConfig} reaches.
 *
 * <p>A record whose first component is a setting without a value is null as a whole.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /** As in the YAML file, parts separated by dots: {@code ingest.port}. */
  String key();

  /** Its text when nobody sets it; empty for no value. */
  String byDefault() default "";

  /** Least and greatest value, such as {@code 1s to 10m}. */
  String range() default "";

  /** What is expected, for people; needed where type and range do not say it. */
  String form() default "";

  /** What it does, for people. */
  String help();

  /** What reads its text; needed where the type of the component does not say it. */
  Class<? extends SettingParser> parser() default SettingParser.class;

  /** Whether a reload can change it. */
  boolean reloadable() default false;
}
