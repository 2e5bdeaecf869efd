package io.hdrsidecar.tests.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.JarScanner;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat with a web application, as often as there are paths; it ends as Tomcat's own program. */
final class TomcatServer {
  private TomcatServer() {}

  /** Takes a folder for its work, the war, and the paths to serve it under. */
  public static void main(String[] arguments) throws IOException, LifecycleException {
    Path folder = Path.of(arguments[0]);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    Files.createDirectories(folder.resolve("webapps"));
    tomcat.setPort(0);
    tomcat.setAddDefaultWebXmlToWebapp(false); // its servlet for JSP is not here
    tomcat.getConnector();
    for (String path : List.of(arguments).subList(2, arguments.length)) {
      tomcat.addWebapp(path, arguments[1]).setJarScanner(ofTheWarAlone());
    }
    tomcat.start();
    System.out.println("Tomcat started on port " + tomcat.getConnector().getLocalPort());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(tomcat)));
    tomcat.getServer().await();
  }

  private static JarScanner ofTheWarAlone() {
    StandardJarScanner scanner = new StandardJarScanner();
    scanner.setScanClassPath(false); // that of the tests, a hundred jars
    return scanner;
  }

  private static void stop(Tomcat tomcat) {
    try {
      tomcat.stop();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }
}
