package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.schemas.Seeds;
import java.util.List;
import java.util.stream.Stream;

class OarMutationTest extends MutationTrial {

  private final String queue = OarFixtures.text("jobs.json");
  private final String details = OarFixtures.text("details.json");
  private final String resources = OarFixtures.text("resources.json");
  private final String places = OarFixtures.text("places.json");
  private final List<String> words =
      Stream.of("submit", "submit-noqueue", "delete-again", "hold-nosuch")
          .map(name -> OarFixtures.text(name + ".json"))
          .toList();

  OarMutationTest() {
    super("{}[]\":,\\\n 0-", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  @Override
  protected void readMutated(int round) {
    OarQueue.read(OarFixtures.answer(200, mutated(queue)));
    OarQueue.places(OarFixtures.answer(200, mutated(places)));
    OarHosts.read(OarFixtures.answer(200, mutated(resources)), "resource_id", true);
    int status = 200 + random.nextInt(350);
    String said = mutated(words.get(random.nextInt(words.size())));
    OarWords.submitted(OarFixtures.answer(status, said));
    OarWords.controlled(OarFixtures.answer(status, said));
    if (round % 5 == 0) {
      OarEnds.read(OarFixtures.answer(200, mutated(details)));
    }
  }

  @Override
  protected void readLong() {
    String digits = "9".repeat(1_000_000);
    String many = "[ADMISSION RULE] Modify \\n".repeat(100_000);
    String said = "{\"message\":\"Oarsub command exited with status 8: ";
    for (String items :
        List.of(
            "[".repeat(100_000),
            "[{\"id\":" + digits + "}]}",
            "[{\"id\":1,\"a\":" + "[".repeat(100_000),
            "[{\"id\":1,\"state\":\""
                + digits
                + "\",\"owner\":\"a\",\"name\":\""
                + digits
                + "\"}]}")) {
      OarQueue.read(OarFixtures.answer(200, "{\"items\":" + items));
      OarEnds.read(OarFixtures.answer(200, "{\"items\":" + items));
    }
    OarWords.submitted(OarFixtures.answer(500, said + many + "\"}"));
    OarWords.submitted(OarFixtures.answer(500, said + many.substring(0, 60_000) + "\"}"));
    OarWords.controlled(OarFixtures.answer(400, said + digits + "\"}"));
    OarWords.submitted(OarFixtures.answer(201, "{\"id\":" + digits + "}"));
  }
}
