package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters lie in memory: an owner has half of what all others leave. */
final class CampaignBytesTest {

  private static final int BYTES = 15 << 20;

  private final CampaignTrial trial = new CampaignTrial();
  private long commands;
  private List<CampaignScript> scripts = List.of();

  private Reply submit(String user) {
    return submit(user, List.of(CampaignTrial.cluster("c1", 0)), BYTES, 0);
  }

  private Reply submit(String user, List<CampaignCluster> clusters, int block, int text) {
    CommandId id = new CommandId(ByteBuffer.allocate(16).putLong(++commands).array());
    return trial
        .take(
            new SubmitCampaign(
                new CommandMeta(id, user, "users", "vm", Role.USER, -1, 0L),
                "large",
                1,
                clusters,
                List.of(new ParameterBlock(ByteBuffer.allocate(block))),
                new CampaignText(ByteBuffer.allocate(text)),
                false,
                scripts,
                null))
        .answer()
        .orElseThrow();
  }

  @Test
  void nobodyTakesTheMemoryOfAll() {
    String bytes = " MiB of parameters, descriptions and jobs ";
    assertEquals(List.of("1"), submit("ada").getLines());
    assertEquals(List.of("2"), submit("ada").getLines());
    assertEquals(
        List.of("there is no room for it now: 32" + bytes + "those of ada may have"),
        submit("ada").getLines());
    assertEquals(List.of("3"), submit("bob").getLines());
    assertEquals(
        List.of("there is no room for it now: 16" + bytes + "those of bob may have"),
        submit("bob").getLines());
    assertEquals(
        List.of("there is no room for it now: 9" + bytes + "those of eve may have"),
        submit("eve").getLines());
    List<CampaignCluster> clusters = List.of(CampaignTrial.cluster("c1", 0));
    assertEquals(List.of("4"), submit("eve", clusters, BYTES / 2, 0).getLines());
    assertEquals(List.of("5"), submit("max", clusters, BYTES / 4, 0).getLines());
    trial.delete(1, "ada");
    assertEquals(List.of("6"), submit("eve", clusters, BYTES / 4, 0).getLines());
  }

  /** The server's state has a record of it, which its topic has to take. */
  @Test
  void whatIsTooLongForARecordIsRefused() {
    int most = (int) SubmissionDeciders.RECORD_BYTES_MAX;
    List<CampaignCluster> clusters =
        List.of(CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    clusters.forEach(it -> it.setProgram("/" + "x".repeat(most / 2)));
    assertEquals(
        List.of("it is too long: the jobs of its clusters may have " + most + " bytes"),
        submit("ada", clusters, 1, 0).getLines());
    assertEquals(
        List.of("it is too long: compressed it may have " + most + " bytes"),
        submit("ada", clusters.subList(0, 1), 1, most + 1).getLines());
    assertEquals(List.of("1"), submit("ada", clusters.subList(0, 1), 1, most).getLines());
  }

  /** What the clusters say counts, too: an owner may have very many campaigns. */
  @Test
  void whatClustersSayTakesMemory() {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 0);
    cluster.setProgram("/" + "x".repeat((int) SubmissionDeciders.RECORD_BYTES_MAX / 2));
    // They lie in the table and, read, beside it.
    int room = (int) (SubmissionDeciders.BYTES_MAX / SubmissionDeciders.RECORD_BYTES_MAX / 2);
    for (int i = 1; i <= room; i++) {
      assertEquals(0, submit("ada", List.of(cluster), 1, 0).getCode(), i + " before");
    }
    Reply more = submit("ada", List.of(cluster), 1, 0);
    assertTrue(more.getLines().get(0).startsWith("there is no room for it now: 32 MiB"));
  }

  /** Many small parts take much more memory than bytes. */
  @Test
  void soDoTheirSmallParts() {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 0);
    cluster.getJob().setVariables(Collections.nCopies(50_000, new Attribute("a", "b")));
    assertEquals(List.of("1"), submit("ada", List.of(cluster), 1, 0).getLines());
    assertTrue(kept(1) > 100 * 50_000, "kept bytes " + kept(1));
    assertTrue(kept(1) < 200 * 50_000, "kept bytes " + kept(1));
  }

  private long kept(long id) {
    return ((Campaign) trial.table.get(CampaignKeys.campaign(id))).getKeptBytes();
  }

  @Test
  void soDoScriptsWithTheirJobs() {
    List<CampaignCluster> clusters = List.of(CampaignTrial.cluster("c1", 0));
    submit("ada", clusters, 1, 0);
    CampaignScript script = CampaignTrial.script(0, false);
    script.getJob().setName("n".repeat(100_000));
    scripts = List.of(script);
    submit("ada", clusters, 1, 0);
    assertTrue(kept(2) > kept(1) + 100_000, "kept bytes " + kept(2));
    script.getJob().setName("n".repeat((int) SubmissionDeciders.RECORD_BYTES_MAX));
    assertEquals(
        List.of(
            "it is too long: a script with its job may have "
                + SubmissionDeciders.RECORD_BYTES_MAX
                + " bytes"),
        submit("ada", clusters, 1, 0).getLines());
  }

  /** Those that ended last are remembered, as far as there is room. */
  @Test
  void whatHasEndedTakesABoundedMemory() {
    int text = (int) SubmissionDeciders.RECORD_BYTES_MAX;
    List<CampaignCluster> clusters = List.of(CampaignTrial.cluster("c1", 0));
    int many = (int) (2 * CampaignDesk.KEPT_BYTES_MAX / text);
    for (int i = 1; i <= many; i++) {
      submit("ada", clusters, 1, text);
      trial.delete(i, "ada");
    }
    long bytes = trial.table.bytes("");
    assertTrue(bytes <= CampaignDesk.KEPT_BYTES_MAX, "bytes " + bytes);
    assertTrue(bytes > CampaignDesk.KEPT_BYTES_MAX - 2 * text, "bytes " + bytes);
    assertTrue(trial.table.get(CampaignKeys.campaign(many)) != null, "the last one");
    trial.restart();
    submit("ada", clusters, 1, text);
    trial.delete(many + 1, "ada");
    assertTrue(trial.table.bytes("") <= CampaignDesk.KEPT_BYTES_MAX, "after a restart, too");
  }
}
