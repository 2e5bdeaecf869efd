package io.hdrsidecar.sidecar.setting;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the settings that components of records declare, and builds the records from values. What
 * is neither a setting nor a record with settings is given, in the order of the components.
 */
public final class SettingRecords {
  private SettingRecords() {}

  /** The settings of a record and of those within it, in the order of the components. */
  public static List<DeclaredSetting> settings(Class<?> type) {
    List<DeclaredSetting> found = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.isAnnotationPresent(Setting.class)) {
        found.add(DeclaredSetting.of(component));
      } else if (component.getType().isRecord()) {
        found.addAll(settings(component.getType()));
      }
    }
    return found;
  }

  /**
   * A record with these values, and defaults for the others in a heap without end.
   *
   * @param texts by key
   * @throws IllegalArgumentException when a text cannot be read
   */
  public static <R extends Record> R of(Class<R> type, Map<String, String> texts, Object... given) {
    Function<DeclaredSetting, @Nullable Object> values =
        setting ->
            setting
                .parser()
                .parse(texts.getOrDefault(setting.key(), setting.defaultText()), Long.MAX_VALUE);
    return Objects.requireNonNull(build(type, values, given), type::getName);
  }

  /** A record with values from elsewhere; null when its first setting has none. */
  public static <R extends Record> @Nullable R build(
      Class<R> type, Function<DeclaredSetting, @Nullable Object> values, Object... given) {
    return type.cast(build(type, values, Arrays.asList(given).iterator()));
  }

  private static @Nullable Object build(
      Class<?> type, Function<DeclaredSetting, @Nullable Object> values, Iterator<?> given) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] arguments = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      if (components[i].isAnnotationPresent(Setting.class)) {
        arguments[i] = values.apply(DeclaredSetting.of(components[i]));
      } else if (types[i].isRecord() && !settings(types[i]).isEmpty()) {
        arguments[i] = build(types[i], values, given);
      } else {
        arguments[i] = given.next();
      }
      if (i == 0 && arguments[0] == null) {
        return null;
      }
    }
    return newRecord(type, types, arguments);
  }

  private static Object newRecord(Class<?> type, Class<?>[] types, @Nullable Object[] arguments) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true); // of records that only their package sees
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw new IllegalStateException(type.getName(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName(), e);
    }
  }
}
