package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Public methods of a class of the client, and what their Javadoc says, for tables about them. */
final class DocumentedMethods {
  static final Path SOURCES = Path.of("src", "main", "java", "io", "hdrsidecar", "client");

  private static final Pattern FIRST_SENTENCE = Pattern.compile("^.*?\\.(?= |$)");
  private static final Pattern LINK = Pattern.compile("\\{@link #?([^}]*)}");

  private DocumentedMethods() {}

  /** By the name of the method, in the order of the file; as Markdown, in one line. */
  static Map<String, String> of(Class<?> type) throws IOException {
    Map<String, String> methods = new LinkedHashMap<>();
    Class<?> outermost = type.getNestHost();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjects(SOURCES.resolve(outermost.getSimpleName() + ".java")));
      DocTrees texts = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new TreePathScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            Tree around = getCurrentPath().getParentPath().getLeaf();
            if (method.getModifiers().getFlags().contains(Modifier.PUBLIC)
                && around instanceof ClassTree of
                && of.getSimpleName().contentEquals(type.getSimpleName())) {
              String javadoc = texts.getDocComment(getCurrentPath());
              methods.put(method.getName().toString(), markdown(String.valueOf(javadoc)));
            }
            return null;
          }
        }.scan(unit, null);
      }
    }
    assertThat(methods).as("public methods of %s", type).isNotEmpty();
    return methods;
  }

  /** Its first sentence, without the full stop. */
  static String firstSentence(String text) {
    Matcher sentence = FIRST_SENTENCE.matcher(text);
    assertThat(sentence.find()).as("a sentence: %s", text).isTrue();
    return sentence.group().substring(0, sentence.group().length() - 1);
  }

  private static String markdown(String javadoc) {
    String text =
        javadoc
            .replaceAll("(?m)^ ?@.*(?s:.*)", "")
            .replaceAll("\\s+", " ")
            .replaceAll("\\{@code ([^}]*)}", "`$1`")
            .replaceAll("\\{@linkplain \\S+ ([^}]*)}", "$1")
            .strip();
    return LINK.matcher(text).replaceAll(link -> "`" + link.group(1).replace('#', '.') + "`");
  }
}
