package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters lie in memory: all campaigns together have a bound, and each owner has half of it. */
final class CampaignBytesTest {

  private static final int BYTES = 15 << 20;

  private final CampaignTrial trial = new CampaignTrial();
  private long commands;

  private Reply submit(String user) {
    CommandId id = new CommandId(ByteBuffer.allocate(16).putLong(++commands).array());
    return trial
        .take(
            new SubmitCampaign(
                new CommandMeta(id, user, "users", "vm", Role.USER, -1, 0L),
                "large",
                1,
                List.of(CampaignTrial.cluster("c1", 0)),
                List.of(new ParameterBlock(ByteBuffer.allocate(BYTES))),
                new CampaignText(ByteBuffer.allocate(0)),
                false,
                List.of(),
                null))
        .answer()
        .orElseThrow();
  }

  @Test
  void nobodyTakesTheMemoryOfAll() {
    String bytes = " MiB of parameters and descriptions, compressed, ";
    assertEquals(List.of("1"), submit("ada").getLines());
    assertEquals(List.of("2"), submit("ada").getLines());
    assertEquals(
        List.of("there is no room for it now: 32" + bytes + "those of ada may have"),
        submit("ada").getLines());
    assertEquals(List.of("3"), submit("bob").getLines());
    assertEquals(List.of("4"), submit("bob").getLines());
    assertEquals(
        List.of("there is no room for it now: 64" + bytes + "all that go on may have"),
        submit("eve").getLines());
    trial.delete(1, "ada");
    assertEquals(List.of("5"), submit("eve").getLines());
  }
}
