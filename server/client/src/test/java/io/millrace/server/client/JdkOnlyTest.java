package io.millrace.server.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

class JdkOnlyTest {

  @Test
  void theClientReachesNothingBeyondJavaBase() {
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    StringWriter modules = new StringWriter();
    PrintWriter moduleWriter = new PrintWriter(modules);
    String classes = ThinClient.classes().toString();
    String door = ThinClient.door().toString();
    // An import from outside the JDK is an error of jdeps here: nothing else is on the path.
    assertEquals(0, jdeps.run(moduleWriter, moduleWriter, "--print-module-deps", classes, door));
    assertEquals("java.base", modules.toString().strip());
  }

  @Test
  void noInvokedynamicOnTheWayToTheFirstFrame() {
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    String classes = ThinClient.classes().toString();
    String its = "io.millrace.server.client.";
    javap.run(
        writer,
        writer,
        "-c",
        "-p",
        "-cp",
        classes,
        its + "ClientMain",
        its + "Caller",
        its + "Conversation",
        its + "GatewayConnection");
    assertEquals(0, said.toString().lines().filter(line -> line.contains("invokedynamic")).count());
    assertEquals(
        4, said.toString().lines().filter(line -> line.startsWith("Compiled from")).count());
  }
}
