package outside;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application without a line for the sidecar. */
@SpringBootApplication
@RestController
public class Outside {
  public static void main(String[] args) {
    SpringApplication.run(Outside.class, args);
  }

  @GetMapping("/hello")
  String hello() {
    return "hello";
  }
}
