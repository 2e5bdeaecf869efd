package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that can be read without a library, as they are in a container: a command, and settings
 * as {@code --flag=text}. All else, and every mistake, is picocli's, which says what is wrong.
 */
final class PlainArguments {
  private PlainArguments() {}

  /**
   * The flags of a call, from flag to text; of a flag given twice the last one wins. Null when it
   * has anything else.
   *
   * @param args of which the first is the command
   */
  static @Nullable Map<String, String> flags(List<DeclaredSetting> settings, String... args) {
    Set<String> known = new HashSet<>();
    for (DeclaredSetting setting : settings) {
      known.add(setting.flag());
    }
    Map<String, String> flags = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      int end = args[i].indexOf('=');
      if (end < 0 || !known.contains(args[i].substring(0, end))) {
        return null;
      }
      flags.put(args[i].substring(0, end), args[i].substring(end + 1));
    }
    return flags;
  }
}
