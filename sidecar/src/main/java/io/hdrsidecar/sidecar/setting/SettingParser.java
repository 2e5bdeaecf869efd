package io.hdrsidecar.sidecar.setting;

import org.jspecify.annotations.Nullable;

/** Reads the text of a setting; has a constructor without arguments. */
@FunctionalInterface
public interface SettingParser {
  /** What a limit is that nobody sets: as much as the heap has room for. */
  String AUTO = "auto";

  /**
   * The value, of the type of the component.
   *
   * @param heapBytes what limits without a number of their own follow from
   * @return null for none
   * @throws IllegalArgumentException with what was wrong
   */
  @Nullable Object parse(String text, long heapBytes);
}
