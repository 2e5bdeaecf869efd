package io.hdrsidecar.sidecar.setting;

import java.lang.reflect.RecordComponent;
import java.util.Locale;

/**
 * A setting, as a {@link Setting} declares it: its names, its default, its form and its parser, and
 * everything that follows from it.
 *
 * @param declaration the annotation
 * @param defaultText its text when nobody sets it
 * @param form unit and range, for people
 * @param parser from text to value
 */
public record DeclaredSetting(
    Setting declaration, String defaultText, String form, SettingParser parser) {
  /** What the names of all environment variables start with. */
  public static final String ENVIRONMENT_PREFIX = "HDR_SIDECAR_";

  /** Form of the settings that are either on or off. */
  static final String TRUTH = "true or false";

  /** What the component of a record declares. */
  static DeclaredSetting of(RecordComponent component) {
    Setting declaration = component.getAnnotation(Setting.class);
    return new DeclaredSetting(
        declaration,
        declaration.byDefault(),
        declaration.form().isEmpty()
            ? SettingTypes.form(component.getType(), declaration)
            : declaration.form(),
        SettingTypes.parser(component.getType(), declaration));
  }

  /** As in the YAML file, parts separated by dots: {@code ingest.port}. */
  public String key() {
    return declaration.key();
  }

  /** The same in a program where another text is the default. */
  public DeclaredSetting withDefault(String text) {
    return new DeclaredSetting(declaration, text, form, parser);
  }

  /** What it does, for people. */
  public String description() {
    return declaration.help();
  }

  /** Whether the flag may stand alone, and means true then. */
  public boolean isSwitch() {
    return form.equals(TRUTH);
  }

  /** On the command line: {@code --ingest-port}. */
  public String flag() {
    return "--" + key().replace('.', '-');
  }

  /** In the environment: {@code HDR_SIDECAR_INGEST_PORT}. */
  public String environmentVariable() {
    return ENVIRONMENT_PREFIX + key().replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
