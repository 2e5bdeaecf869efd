package io.hdrsidecar.sidecar.cli;

import java.awt.Desktop;
import java.io.IOException;
import java.net.URI;

/** The browser of the user of this machine, if there is one. */
final class BrowserWindow {
  private BrowserWindow() {}

  /** Opens an address; does nothing where there is no desktop, or Java was built without one. */
  static void open(URI address) {
    if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
      OfDesktop.open(address);
    }
  }

  /** Apart, so that nothing of it is loaded where it does not exist. */
  private static final class OfDesktop {
    static void open(URI address) {
      if (!Desktop.isDesktopSupported()
          || !Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
        return;
      }
      try {
        Desktop.getDesktop().browse(address);
      } catch (IOException e) {
        return; // the address has been printed, so nothing is missing
      }
    }
  }
}
