package io.millrace.ops.part;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartHomeTest {

  @TempDir Path folder;

  /** Each of several gateways would undo what the others' files say; the last word counts. */
  @Test
  void filesWithPoliciesOfALoneGatewayCountWhenItIsTold() throws Exception {
    JoinFile join = new JoinFile("cluster", "kafka:9092", 3, null, Map.of());
    PartHome place = new PartHome(new Home(folder), join, "gateway-1");
    List<String> arguments = new ArrayList<>(place.arguments(LonePart.GATEWAY));
    assertEquals("no", arguments.get(arguments.lastIndexOf("--policy-files") + 1));
    assertEquals("gateway-1", arguments.get(arguments.indexOf("--host") + 1));
  }
}
