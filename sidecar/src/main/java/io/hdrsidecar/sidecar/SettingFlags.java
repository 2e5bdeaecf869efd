package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as flags of a command, one each. */
public final class SettingFlags {
  private SettingFlags() {}

  /** Adds a flag for each setting. */
  public static void add(List<DeclaredSetting> settings, CommandSpec command) {
    for (DeclaredSetting setting : settings) {
      OptionSpec.Builder option = OptionSpec.builder(setting.flag());
      if (setting.isSwitch()) {
        option.arity("0..1").fallbackValue("true");
      }
      command.addOption(
          option
              .type(String.class)
              .paramLabel("<" + setting.key().substring(setting.key().lastIndexOf('.') + 1) + ">")
              .description(
                  plain(setting.description()),
                  plain("  " + setting.form() + "; default: " + shown(setting.defaultText())),
                  "  key: " + setting.key() + ", environment: " + setting.environmentVariable())
              .build());
    }
  }

  /** Picocli takes descriptions for formats. */
  private static String plain(String text) {
    return text.replace("%", "%%");
  }

  private static String shown(String defaultText) {
    return defaultText.isEmpty() ? "none" : defaultText;
  }

  /** From flag to text, of those that were given. */
  public static Map<String, String> read(List<DeclaredSetting> settings, ParseResult parsed) {
    Map<String, String> flags = new HashMap<>();
    for (DeclaredSetting setting : settings) {
      if (parsed.hasMatchedOption(setting.flag())) {
        flags.put(setting.flag(), parsed.matchedOptionValue(setting.flag(), ""));
      }
    }
    return flags;
  }
}
