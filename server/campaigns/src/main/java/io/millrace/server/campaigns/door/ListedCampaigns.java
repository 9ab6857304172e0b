package io.millrace.server.campaigns.door;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.avro.specific.SpecificRecord;

/**
 * Campaigns for a list: what they run, and where each task is, is left out. There may be so many
 * that they come in pieces.
 */
final class ListedCampaigns {

  /** Bytes of a piece; it has one campaign at least. */
  static final long PIECE_BYTES = 1 << 20;

  private static final JobSpec NO_JOB =
      JobSpec.newBuilder()
          .setName("")
          .setOwner("")
          .setSubmitHost("")
          .setQueue("")
          .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
          .setResourceList(List.of())
          .setOutputPath("")
          .setErrorPath("")
          .setVariables(List.of())
          .setScriptHash(ByteBuffer.allocate(0))
          .setArgv(List.of())
          .setExtra(List.of())
          .build();

  private ListedCampaigns() {}

  /**
   * Tells campaigns in their order.
   *
   * @param from the first that may be told
   * @param each tells one; gives its bytes
   */
  static void tell(CampaignTable table, long from, ToLongFunction<SpecificRecord> each) {
    long[] bytes = {0};
    table.scan(
        CampaignKeys.CAMPAIGNS,
        CampaignKeys.campaign(from),
        record -> {
          // What was read is nobody else's.
          bytes[0] += each.applyAsLong(listed((Campaign) record));
          return bytes[0] < PIECE_BYTES;
        });
  }

  private static Campaign listed(Campaign campaign) {
    campaign.setRanges(List.of());
    for (CampaignCluster cluster : campaign.getClusters()) {
      cluster.setJob(NO_JOB);
      cluster.setProgram("");
      cluster.setDirectory("");
      cluster.setRefusal("");
    }
    return campaign;
  }
}
