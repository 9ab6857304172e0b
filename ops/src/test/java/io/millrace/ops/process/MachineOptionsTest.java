package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineOptionsTest {

  /** A Java that leaves one out would do so in silence. */
  @Test
  void thisJavaKnowsAllOfThem() throws Exception {
    List<String> options = new ArrayList<>(MachineOptions.SPARING);
    options.addAll(MachineOptions.EARLY);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
    Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, java.waitFor(), said);
    for (String option : options) {
      String[] parts = option.substring("-XX:".length()).split("=");
      String name = parts[0].replaceFirst("^\\+", "");
      String value = parts.length == 1 ? "true" : parts[1];
      assertTrue(said.matches("(?s).* " + name + " +:?= +" + value + " .*"), option);
    }
  }
}
