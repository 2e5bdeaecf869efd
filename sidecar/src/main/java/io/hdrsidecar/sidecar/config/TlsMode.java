package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.SettingParser;

/** How a listener speaks. */
enum TlsMode {
  /** As the files given allow: mutual with a client CA, on with a certificate, else off. */
  BY_FILES,
  OFF,
  ON,
  /** Clients must show a certificate too. */
  MUTUAL;

  static final String FORM =
      "off, on, or mutual for client certificates; empty for what tls.certificate and"
          + " tls.client-ca allow";

  /** Reads these words. */
  static final class Parser implements SettingParser {
    @Override
    public TlsMode parse(String text, long heapBytes) {
      return switch (text.strip()) {
        case "" -> BY_FILES;
        case "off" -> OFF;
        case "on" -> ON;
        case "mutual" -> MUTUAL;
        default -> throw new IllegalArgumentException("must be off, on or mutual: " + text);
      };
    }
  }
}
