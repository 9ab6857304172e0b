package io.millrace.server.campaigns.core.memory;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignAdditions;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.PlaceBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/** How much memory a campaign takes. */
public final class KeptMemory {

  /** Of an entry of the table, with its key and what makes the key known elsewhere. */
  private static final long ENTRY = 250;

  /** So many commands that added tasks are remembered of a campaign. */
  public static final int ADDITIONS_MAX = 1_000;

  /** Of one of them. */
  private static final long ADDITION = 20;

  private KeptMemory() {}

  /** Something that becomes bytes. */
  private interface Encoded {
    ByteBuffer bytes() throws IOException;
  }

  private static long length(Encoded record) {
    try {
      return record.bytes().remaining();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static long bytes(List<CampaignCluster> clusters) {
    return clusters.stream().mapToLong(it -> length(it::toByteBuffer)).sum();
  }

  public static long bytes(CampaignScript script) {
    return length(script::toByteBuffer);
  }

  /** Of blocks of lines. */
  public static long lines(List<ParameterBlock> blocks) {
    return blocks.stream().mapToLong(it -> it.getLines().remaining()).sum();
  }

  /**
   * Of one that goes on, also again, with so many bytes of lines and one more command that has
   * added some.
   */
  public static long with(CampaignTable table, Campaign campaign, int lineBytes) {
    long id = campaign.getId();
    CampaignAdditions known = (CampaignAdditions) table.get(CampaignKeys.additions(id));
    int additions = known == null ? 0 : known.getCommands().size();
    if (campaign.getEndedMs() < 0) {
      long more = additions < ADDITIONS_MAX ? ADDITION : 0;
      return campaign.getKeptBytes() - campaign.getLineBytes() + lineBytes + more;
    }
    CampaignText text = (CampaignText) table.get(CampaignKeys.text(id));
    long[] bytes = {text.getJson().remaining() + bytes(campaign.getClusters()) + lineBytes};
    bytes[0] += RecordMemory.of(campaign.getClusters());
    bytes[0] += ADDITION * Math.min(additions + 1, ADDITIONS_MAX);
    table.scan(CampaignKeys.scripts(id), it -> bytes[0] += bytes((CampaignScript) it));
    return bytes[0];
  }

  /**
   * Of one that goes on: its lines, description and scripts lie in the table, and its clusters
   * there and, read, beside it.
   */
  public static long of(SubmitCampaign command) {
    long bytes = command.getText().getJson().remaining() + bytes(command.getClusters());
    bytes += RecordMemory.of(command.getClusters());
    bytes += lines(command.getBlocks());
    for (CampaignScript script : command.getScripts()) {
      bytes += bytes(script);
    }
    return bytes;
  }

  /** Of one that has ended: all that is left lies in the table. */
  public static long of(CampaignTable table, Campaign campaign) {
    long id = campaign.getId();
    CampaignText text = (CampaignText) table.get(CampaignKeys.text(id));
    long[] bytes = {ENTRY + length(campaign::toByteBuffer) + text.getJson().remaining()};
    bytes[0] += campaign.getAttemptBytes();
    CampaignAdditions additions = (CampaignAdditions) table.get(CampaignKeys.additions(id));
    bytes[0] += additions == null ? 0 : ENTRY + ADDITION * additions.getCommands().size();
    table.scan(CampaignKeys.scripts(id), it -> bytes[0] += ENTRY + bytes((CampaignScript) it));
    table.scan(
        CampaignKeys.places(id), it -> bytes[0] += ENTRY + length(((PlaceBlock) it)::toByteBuffer));
    table.scan(
        CampaignKeys.events(id),
        it -> bytes[0] += ENTRY + length(((CampaignEvent) it)::toByteBuffer));
    return bytes[0];
  }
}
