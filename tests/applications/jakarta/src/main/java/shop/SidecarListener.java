package shop;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** Opens the client with the web application, and closes it after the last request. */
@WebListener
public class SidecarListener implements ServletContextListener {
  private HdrSidecarClient client;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    Labels labels = ClientConfig.fromEnvironment(System.getenv()).commonLabels();
    client =
        HdrSidecarClient.create(
            ClientConfig.builder(System.getenv())
                .commonLabels(labels.with("context", context.getContextPath()))
                .shutdownHook(false) // the server's own hook ends the application
                .build());
    context.setAttribute("client", client);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (client != null) { // null: its configuration was wrong
      client.close();
    }
  }
}
