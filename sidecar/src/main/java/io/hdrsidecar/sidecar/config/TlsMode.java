package io.hdrsidecar.sidecar.config;

/** How a listener speaks. */
enum TlsMode {
  /** As the files given allow: mutual with a client CA, on with a certificate, else off. */
  BY_FILES,
  OFF,
  ON,
  /** Clients must show a certificate too. */
  MUTUAL;

  static TlsMode parse(String text) {
    return switch (text.strip()) {
      case "" -> BY_FILES;
      case "off" -> OFF;
      case "on" -> ON;
      case "mutual" -> MUTUAL;
      default -> throw new IllegalArgumentException("must be off, on or mutual: " + text);
    };
  }
}
