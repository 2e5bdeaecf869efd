package shop;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.Method;

/** Tells {@link LatencyFilter} which method of JAX-RS answers: {@code Shop.pay}. */
@Provider
public class EndpointFilter implements ContainerRequestFilter {
  static final String ENDPOINT = "endpoint";

  @Context private ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) {
    Method method = resource.getResourceMethod();
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
    request.setProperty(ENDPOINT, name); // an attribute of the servlet request, too
  }
}
