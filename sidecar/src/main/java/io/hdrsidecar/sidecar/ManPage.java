package io.hdrsidecar.sidecar;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The text that {@code --help} says of a command, as a page for {@code man}. Picocli itself writes
 * AsciiDoc only, which takes another program to become roff.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/man.7.html">man(7), its macros</a>
 */
final class ManPage {
  private static final int WIDEST = 10_000;

  private final CommandSpec command;
  private final Help help;
  private final StringBuilder page = new StringBuilder();

  ManPage(CommandSpec command) {
    this.command = command;
    this.help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
  }

  /** As {@code man} finds it: {@code hdr-sidecar-log-union}. */
  String name() {
    return command.qualifiedName("-");
  }

  String roff() {
    String[] description = command.usageMessage().description();
    page.append(".TH \"").append(escaped(name())).append("\" 1 \"\" \"hdr-sidecar ");
    page.append(escaped(Version.text())).append("\"\n");
    page.append(".nh\n.ad l\n"); // flags stay whole
    section("NAME", escaped(name()) + " \\- " + lines(formatted(description[0])));
    section("SYNOPSIS", escaped(help.synopsis(0).replaceAll("\\s+", " ")));
    section("DESCRIPTION", lines(formatted(description)));
    items("ARGUMENTS", command.positionalParameters().stream().map(this::item));
    items("OPTIONS", command.options().stream().map(this::item));
    items("COMMANDS", command.subcommands().values().stream().map(ManPage::item));
    items(
        "EXIT STATUS",
        command.usageMessage().exitCodeList().entrySet().stream()
            .map(code -> code.getKey() + "\n" + lines(formatted(code.getValue()))));
    return page.toString();
  }

  private void section(String title, String content) {
    page.append(".SH ").append(title).append('\n').append(content).append('\n');
  }

  /** Each a tag on a line of its own, and what it means. */
  private void items(String title, Stream<String> items) {
    List<String> all = items.toList();
    if (!all.isEmpty()) {
      section(title, ".TP\n" + String.join("\n.TP\n", all));
    }
  }

  private String item(ArgSpec argument) {
    String names =
        argument instanceof OptionSpec option
            ? Arrays.stream(option.names())
                .map(name -> "\\fB" + escaped(name) + "\\fR")
                .collect(Collectors.joining(", "))
            : "";
    String label =
        help.parameterLabelRenderer()
            .renderParameterLabel(argument, Ansi.OFF, List.of())
            .toString();
    return names + escaped(label) + "\n" + lines(argument.description());
  }

  private static String item(CommandLine child) {
    String name = child.getCommandSpec().qualifiedName("-");
    return "\\fB"
        + escaped(name)
        + "\\fR(1)\n"
        + lines(formatted(child.getCommandSpec().usageMessage().description()));
  }

  /** A text as picocli shows it, which takes those of commands for formats; not wrapped. */
  private static String formatted(String... text) {
    return Help.join(Ansi.OFF, WIDEST, false, text, new StringBuilder()).toString();
  }

  private static String lines(String... text) {
    return Arrays.stream(text)
        .flatMap(String::lines)
        .map(line -> escaped(line.strip()))
        .collect(Collectors.joining("\n.br\n"));
  }

  /** A plain - becomes a hyphen, which no shell takes; and lines that begin so are commands. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^(?=[.'])", "\\\\&");
  }
}
