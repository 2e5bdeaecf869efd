package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The Python client, as its own community would check it: ruff, mypy, and pytest with real sidecars
 * and Gunicorn, against the wheel that is built here; and that wheel in an empty project.
 */
@RequiresPrograms("python3")
final class PythonClientIT {
  private static final Path PROJECT = Path.of("..", "client-lib", "python").toAbsolutePath();
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Pattern GROUP = Pattern.compile("(?m)^(?:test|lint) = \\[(.*)]$");
  private static final Pattern BACKEND = Pattern.compile("requires = \\[\"(hatchling==[\\d.]+)\"]");
  private static final Pattern PINNED = Pattern.compile("\"([\\w-]+==[\\d.]+)\"");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^<!-- runnable -->\\n\\n```python\\n(.*?)^```$");

  private static String python = "";
  private static Path wheel = Path.of("");

  @RegisterExtension final Processes processes = new Processes();

  /** What {@code pyproject.toml} pins for tests and checks. */
  private static String python() throws IOException, InterruptedException {
    String project = Files.readString(PROJECT.resolve("pyproject.toml"));
    List<String> packages = new ArrayList<>();
    Matcher backend = BACKEND.matcher(project);
    assertThat(backend.find()).isTrue();
    packages.add(backend.group(1));
    Matcher group = GROUP.matcher(project);
    while (group.find()) {
      PINNED.matcher(group.group(1)).results().forEach(one -> packages.add(one.group(1)));
    }
    assertThat(packages).hasSizeGreaterThan(5);
    return Tool.python("python-client", packages);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("env", "PYTHONDONTWRITEBYTECODE=1"));
    all.addAll(List.of(command));
    return Tool.run(all, PROJECT);
  }

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    python = python();
    Path folder = Files.createTempDirectory(TARGET, "python-dist");
    run(python, "-m", "hatchling", "build", "-d", folder.toString());
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> built = files.sorted().toList();
      assertThat(built)
          .extracting(file -> file.getFileName().toString().replaceAll("-[\\d.]+(dev0)?", ""))
          .containsExactly("hdr_sidecar-py3-none-any.whl", "hdr_sidecar.tar.gz");
      wheel = built.get(0);
      run(python, "-m", "twine", "check", "--strict", wheel.toString(), built.get(1).toString());
    }
  }

  @Test
  void code_byRuffAndMypy_isClean() throws Exception {
    run(python, "-m", "ruff", "check", "--no-cache");
    run(python, "-m", "ruff", "format", "--check", "--no-cache");
    run(python, "-m", "mypy", "--cache-dir=" + TARGET.resolve("python-mypy"));
  }

  @Test
  void wheel_byPytest_doesWhatItShould() throws Exception {
    run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", wheel.toString());

    String report =
        run(
            "HDR_SIDECAR_JAR=" + SidecarJar.path(),
            "JAVA_HOME=" + System.getProperty("java.home"),
            python,
            "-m",
            "pytest",
            "-q",
            "--numprocesses=2");

    System.out.println("pytest of the Python client: " + lastLine(report));
    if (Boolean.parseBoolean(System.getenv("HDR_SIDECAR_REQUIRE_REAL_PARTS"))) {
      assertThat(lastLine(report)).doesNotContain("skipped");
    }
  }

  private static String lastLine(String text) {
    List<String> lines = text.lines().toList();
    return lines.get(lines.size() - 1);
  }

  @Test
  void wheel_inAnEmptyProject_runsTheExampleOfReadme() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(PROJECT.resolve("README.md")));
    assertThat(example.find()).isTrue();
    SidecarProcess sidecar = processes.sidecar();
    Path project = TARGET.resolve("python-project");
    run(python, "-m", "venv", "--clear", project.toString());
    String itsPython = project.resolve("bin/python").toString();
    run(itsPython, "-m", "pip", "install", "--quiet", "--no-index", wheel.toString());

    String address = "HDR_SIDECAR_ADDRESS=" + sidecar.ingestAddress();
    String printed = run(address, itsPython, "-c", example.group(1));

    assertThat(printed).isEqualTo("paid\npaid again\n");
    assertThat(sidecar.total("checkout{route=\"/pay\"}", "").getLong("count")).isEqualTo(3);
    assertThat(sidecar.metrics()).contains("checkout_seconds_count{route=\"/pay\"} 3");
  }
}
