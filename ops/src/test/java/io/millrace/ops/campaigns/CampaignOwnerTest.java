package io.millrace.ops.campaigns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Root has no campaigns, and nobody else has any for another user. */
class CampaignOwnerTest {

  private static String refusal(String caller, Optional<String> given) {
    return assertThrows(IllegalArgumentException.class, () -> CampaignOwner.of(caller, given))
        .getMessage();
  }

  @Test
  void whoIsRefused() {
    String root = "root has no campaigns; --user NAME says whose this one is";
    assertEquals(root, refusal("root", Optional.empty()));
    assertEquals(root, refusal("root", Optional.of("root")));
    assertEquals(root, refusal("daemon", Optional.of("root")));
    assertEquals(
        "--user daemon: you are bin, and only root acts for another user",
        refusal("bin", Optional.of("daemon")));
    assertEquals("there is no user nosuch", refusal("root", Optional.of("nosuch")));
  }

  @Test
  void rootActsForAnother() throws IOException {
    assertEquals("daemon", CampaignOwner.of("root", Optional.of("daemon")).name());
    assertEquals("daemon", CampaignOwner.of("daemon", Optional.empty()).name());
  }
}
