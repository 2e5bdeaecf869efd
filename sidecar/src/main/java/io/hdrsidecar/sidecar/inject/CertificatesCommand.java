package io.hdrsidecar.sidecar.inject;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code inject certificates}: a certificate for clusters without cert-manager. */
@Command(
    name = "certificates",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Makes a certificate for the webhook, and the authority API servers have to know it by:"
          + " tls.crt, tls.key and ca.crt. Prints the caBundle of the webhook configuration.",
      "Authorities of an older ca.crt that are still valid stay in it."
    })
public final class CertificatesCommand implements Callable<Integer> {
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final int MAX_DAYS = 3650;

  @Option(
      names = "--dns",
      paramLabel = "<name>",
      defaultValue = "hdr-sidecar-inject.hdr-sidecar.svc",
      description = "Name of the webhook's service: <service>.<namespace>.svc.")
  private String name = "";

  @Option(
      names = "--days",
      paramLabel = "<n>",
      defaultValue = "365",
      description = "How long it is valid, 1 to 3650.")
  private int days;

  @Option(
      names = "--out",
      paramLabel = "<folder>",
      required = true,
      description = "Where the files go; made if it is not there.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  /**
   * Makes the files.
   *
   * @return the exit code: 0, or 1 with the reason on stderr
   * @throws ParameterException for options out of range
   */
  @Override
  public Integer call() {
    if (name.length() > 253 || !DNS_NAME.matcher(name).matches()) {
      throw new ParameterException(
          spec.commandLine(), "--dns must be a DNS name such as web.shop.svc: " + name);
    }
    if (days < 1 || days > MAX_DAYS) {
      throw new ParameterException(
          spec.commandLine(), "--days must be from 1 to " + MAX_DAYS + ": " + days);
    }
    try {
      spec.commandLine().getOut().println(new Certificates(name, days, folder).make());
      return ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }
}
