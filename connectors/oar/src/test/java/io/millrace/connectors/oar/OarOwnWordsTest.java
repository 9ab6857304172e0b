package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.schemas.oar.OarAsked;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job asks of an OAR in OAR's own words. */
class OarOwnWordsTest {

  @TempDir Path folder;

  private int commands;
  private PlayedOar oar;

  @BeforeEach
  void play() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    oar = new PlayedOar();
  }

  @AfterEach
  void close() {
    oar.close();
  }

  private Submitted submit(Map<String, String> variables) throws Exception {
    return submit(variables, new OutsideShare(3, 0, 1));
  }

  private Submitted submit(Map<String, String> variables, OutsideShare... hosts) throws Exception {
    var file = OarFixtures.file(folder, oar.url(), "slot = core");
    OarSystem system =
        new OarSystem(
            file,
            command -> {
              commands++;
              return new OutsideAnswer(ProcessEnding.EXITED, 0, "", "", Duration.ZERO);
            },
            new OarDoor(file));
    return system.submit(
        new OutsideSubmission(
            new OutsideTag("c1", "7", 2, "5.17.1"),
            "alice",
            "w",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            new OutsideAmounts(List.of(hosts), Optional.of(3_725L)),
            new OutsideSubmission.SubmittedScript(
                "#!/bin/sh".getBytes(StandardCharsets.UTF_8), List.of(), variables, "/")));
  }

  @Test
  void theyGoThereAsTheyAre() throws Exception {
    String properties = "(gpu = 'YES' OR NOT arch = 'x86') AND mem >= 4000 AND cpu LIKE 'Xeon%'";
    submit(Map.of(OarAsked.RESOURCES, "/nodes=1/core=2", OarAsked.PROPERTIES, properties));
    JsonNode sent =
        OarJson.object(new String(oar.last().body(), StandardCharsets.UTF_8)).orElseThrow();
    assertEquals("/nodes=1/core=2,walltime=1:2:5", sent.get("resource").asText());
    assertEquals(properties, sent.get("property").asText());
  }

  /** Each host gives as many; of more on one than on another OAR has no words. */
  @Test
  void aJobOfSeveralHosts() throws Exception {
    OutsideShare two = new OutsideShare(2, 0, 1);
    submit(Map.of(), two, two);
    JsonNode sent =
        OarJson.object(new String(oar.last().body(), StandardCharsets.UTF_8)).orElseThrow();
    assertEquals("/network_address=2/core=2,walltime=1:2:5", sent.get("resource").asText());
    commands = 0;
    Submitted refused = submit(Map.of(), two, new OutsideShare(3, 0, 1));
    String words = ((Submitted.SubmissionRefused) refused).words();
    assertTrue(words.contains("as many processors as any other, not 2 + 3; "), words);
    refused = submit(Map.of(OarAsked.RESOURCES, "/core=2"), two, two);
    words = ((Submitted.SubmissionRefused) refused).words();
    assertEquals("MILLRACE_OAR_RESOURCES: a job in these words has one host", words);
    assertEquals(0, commands, "nothing is written");
  }

  @Test
  void whatAShellCouldReadIsRefusedBeforeAnythingIsDone() throws Exception {
    for (Map<String, String> hostile :
        List.of(
            Map.of(OarAsked.RESOURCES, "/core=$(reboot)"),
            Map.of(OarAsked.RESOURCES, "/nodes=2/core=1"),
            Map.of(OarAsked.PROPERTIES, "gpu = '`id`'"),
            Map.of(OarAsked.PROPERTIES, "gpu = \"YES\""),
            Map.of(OarAsked.PROPERTIES, "gpu = yes"),
            Map.of(OarAsked.PROPERTIES, "gpu = 'a' -- x"),
            Map.of(OarAsked.PROPERTIES, "gpu = 'a'; id"),
            Map.of(OarAsked.PROPERTIES, "gpu = '\\'"),
            Map.of(OarAsked.PROPERTIES, "1 = 1\" -t besteffort"))) {
      Submitted said = submit(hostile);
      assertTrue(said instanceof Submitted.SubmissionRefused, hostile + " " + said);
    }
    assertEquals(0, commands, "nothing is written");
  }
}
