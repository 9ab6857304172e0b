package io.millrace.ops.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HealthPortsTest {

  private static final List<String> FORWARDERS = List.of("forward-slurm", "forward-sge");

  private static final List<String> ENGINES = List.of("engine-night", "engine-big");

  private static final HealthPorts PORTS = HealthPorts.of("9400", FORWARDERS, ENGINES);

  @Test
  void eachPartHasAPortOfItsOwn() {
    assertEquals(List.of("--health", "127.0.0.1:9400"), PORTS.option("server"));
    assertEquals(List.of("--health", "127.0.0.1:9401"), PORTS.option("gateway"));
    assertEquals(List.of("--health", "127.0.0.1:9402"), PORTS.option("accounting"));
    assertEquals(List.of("--health", "127.0.0.1:9403"), PORTS.option("web"));
    assertEquals(List.of("--health", "127.0.0.1:9404"), PORTS.option("engine"));
    assertEquals(List.of("--health", "127.0.0.1:9410"), PORTS.option("executor"));
    assertEquals(List.of("--health", "127.0.0.1:9411"), PORTS.option("executor-2"));
    assertEquals(List.of("--health", "127.0.0.1:9473"), PORTS.option("executor-64"));
    assertEquals(List.of("--health", "127.0.0.1:9405"), PORTS.option("campaigns"));
    assertEquals(List.of("--health", "127.0.0.1:9480"), PORTS.option("forward-slurm"));
    assertEquals(List.of("--health", "127.0.0.1:9481"), PORTS.option("forward-sge"));
    assertEquals(List.of("--health", "127.0.0.1:9500"), PORTS.option("engine-night"));
    assertEquals(List.of("--health", "127.0.0.1:9501"), PORTS.option("engine-big"));
    for (String silent : List.of("broker", "keeper", "engine-other", "forward-other")) {
      assertEquals(List.of(), PORTS.option(silent), silent);
    }
  }

  @Test
  void anAddressIsKept() {
    assertEquals(
        List.of("--health", "[0:0:0:0:0:0:0:1]:9400"),
        HealthPorts.of("[::1]:9400", FORWARDERS, ENGINES).option("server"));
    assertEquals(
        List.of("--health", "0.0.0.0:9400"),
        HealthPorts.of("0.0.0.0:9400", FORWARDERS, ENGINES).option("server"));
  }

  @Test
  void whatCannotBeIsSaid() {
    List<String> most = IntStream.range(0, 20).mapToObj(it -> "engine-" + it).toList();
    assertEquals(
        List.of("--health", "127.0.0.1:65535"),
        HealthPorts.of("65416", FORWARDERS, most).option("engine-19"));
    assertEquals(
        "parts need the port and those up to 119 above it; 65417 does not do",
        assertThrows(
                IllegalArgumentException.class, () -> HealthPorts.of("65417", FORWARDERS, most))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> HealthPorts.of("9400", Collections.nCopies(21, "forward-x"), ENGINES));
    for (String wrong : List.of("0", "65500", "here:x", "", "1:2:3")) {
      String said =
          assertThrows(
                  IllegalArgumentException.class, () -> HealthPorts.of(wrong, FORWARDERS, ENGINES))
              .getMessage();
      assertTrue(
          said.startsWith("give [ADDRESS:]PORT, not ") || said.endsWith("does not do"), said);
    }
  }
}
