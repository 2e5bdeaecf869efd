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
  /** The JDK reads annotations anew for each question, and makes a proxy of each. */
  private static final ClassValue<List<DeclaredComponent>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<DeclaredComponent> computeValue(Class<?> type) {
          return components(type);
        }
      };

  /**
   * A component of a record.
   *
   * @param setting what it declares; null for none
   * @param isPart whether it is a record with settings
   */
  private record DeclaredComponent(
      Class<?> type, @Nullable DeclaredSetting setting, boolean isPart) {}

  private SettingRecords() {}

  private static List<DeclaredComponent> components(Class<?> type) {
    List<DeclaredComponent> found = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> itsType = component.getType();
      boolean isSetting = component.isAnnotationPresent(Setting.class);
      boolean isPart = !isSetting && itsType.isRecord() && !settings(itsType).isEmpty();
      found.add(
          new DeclaredComponent(itsType, isSetting ? DeclaredSetting.of(component) : null, isPart));
    }
    return found;
  }

  /** The settings of a record and of those within it, in the order of the components. */
  public static List<DeclaredSetting> settings(Class<?> type) {
    List<DeclaredSetting> found = new ArrayList<>();
    for (DeclaredComponent component : COMPONENTS.get(type)) {
      DeclaredSetting setting = component.setting();
      if (setting != null) {
        found.add(setting);
      } else if (component.isPart()) {
        found.addAll(settings(component.type()));
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
    List<DeclaredComponent> components = COMPONENTS.get(type);
    Class<?>[] types = new Class<?>[components.size()];
    @Nullable Object[] arguments = new @Nullable Object[types.length];
    for (int i = 0; i < types.length; i++) {
      DeclaredComponent component = components.get(i);
      types[i] = component.type();
      DeclaredSetting setting = component.setting();
      if (setting != null) {
        arguments[i] = values.apply(setting);
      } else if (component.isPart()) {
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
