package io.hdrsidecar.sidecar.input;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads a document of YAML 1.1. Not by SnakeYAML's {@code Yaml}, which can also make beans and for
 * that needs {@code java.beans}: the module it is in, with windows and printing, would be a third
 * of the runtime in our image. Tags make no objects. Any thread.
 */
public final class YamlText {
  private YamlText() {}

  /**
   * The document with the line of each part; null when there is none.
   *
   * @throws YAMLException when this is not YAML, or several documents
   */
  public static @Nullable Node nodes(String text) {
    return composer(text, new Resolver()).getSingleNode();
  }

  /**
   * The document as maps, lists, texts, numbers, booleans and dates; null when there is none.
   *
   * @throws YAMLException as above, and for tags of anything else
   */
  public static @Nullable Object values(String text) {
    return constructed(composer(text, new Resolver()));
  }

  /** The same with the texts of numbers, booleans and dates as they are written. */
  public static @Nullable Object texts(String text) {
    return constructed(composer(text, new TextResolver()));
  }

  private static Composer composer(String text, Resolver resolver) {
    LoaderOptions options = new LoaderOptions();
    return new Composer(new ParserImpl(new StreamReader(text), options), resolver, options);
  }

  private static @Nullable Object constructed(Composer composer) {
    SafeConstructor constructor = new SafeConstructor(new LoaderOptions());
    constructor.setComposer(composer);
    return constructor.getSingleData(Object.class);
  }

  /** Knows what is no value, and what merges mappings; all else is a text. */
  private static final class TextResolver extends Resolver {
    private static final Pattern NOTHING = Pattern.compile("|~|null|Null|NULL");

    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.MERGE, MERGE, "<");
      addImplicitResolver(Tag.NULL, NOTHING, "~nN");
      addImplicitResolver(Tag.NULL, NOTHING, null);
    }
  }
}
