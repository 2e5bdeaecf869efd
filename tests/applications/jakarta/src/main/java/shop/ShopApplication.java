package shop;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** JAX-RS answers all paths; its classes are found by their annotations. */
@ApplicationPath("/")
public class ShopApplication extends Application {}
