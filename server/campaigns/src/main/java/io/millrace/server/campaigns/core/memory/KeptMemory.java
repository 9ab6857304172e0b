package io.millrace.server.campaigns.core.memory;

import io.millrace.schemas.campaign.Campaign;
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

  /**
   * Of one that goes on: its lines, description and scripts lie in the table, and its clusters
   * there and, read, beside it.
   */
  public static long of(SubmitCampaign command) {
    long bytes = command.getText().getJson().remaining() + bytes(command.getClusters());
    bytes += RecordMemory.of(command.getClusters());
    for (ParameterBlock block : command.getBlocks()) {
      bytes += block.getLines().remaining();
    }
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
    table.scan(CampaignKeys.scripts(id), it -> bytes[0] += ENTRY + bytes((CampaignScript) it));
    table.scan(
        CampaignKeys.places(id), it -> bytes[0] += ENTRY + length(((PlaceBlock) it)::toByteBuffer));
    table.scan(
        CampaignKeys.events(id),
        it -> bytes[0] += ENTRY + length(((CampaignEvent) it)::toByteBuffer));
    return bytes[0];
  }
}
