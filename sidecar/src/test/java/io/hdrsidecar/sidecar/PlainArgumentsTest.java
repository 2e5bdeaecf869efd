package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.config.Settings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What is read without picocli is what picocli reads; the rest is left to it. */
class PlainArgumentsTest {
  /** Separated by blanks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve",
        "serve --http-port=0",
        "serve --http-port=0 --ingest-port=1 --http-port=2",
        "serve --http-host= --windows=1m,5m/5s",
        "serve --ingest-unix-socket=/run/a=b.sock --journal-fsync=true",
        "serve --http-host=${env:HOME} --sla-file='x'",
        "serve --http-host=--config=x"
      })
  void flags_ofSettingsAlone_areThoseOfPicocli(String call) {
    String[] args = call.split(" ");
    CommandSpec spec = CommandSpec.create();
    SettingFlags.add(Settings.all(), spec);
    CommandLine program = new CommandLine(CommandSpec.create()).addSubcommand("serve", spec);
    program.setOverwrittenOptionsAllowed(true).setUnmatchedArgumentsAllowed(false);

    Map<String, String> byPicocli =
        SettingFlags.read(Settings.all(), program.parseArgs(args).subcommand());

    assertThat(PlainArguments.flags(Settings.all(), args)).isEqualTo(byPicocli);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --help",
        "serve --check-config",
        "serve --config=sidecar.yaml",
        "serve --http-port 0",
        "serve --journal-fsync",
        "serve --htp-port=0",
        "serve --HTTP-PORT=0",
        "serve -- --http-port=0",
        "serve @flags",
        "serve x"
      })
  void flags_ofAnythingElse_areNotRead(String call) {
    assertThat(PlainArguments.flags(Settings.all(), call.split(" "))).isNull();
  }
}
