package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.jdl.JdlText;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import java.io.IOException;
import java.io.Writer;
import java.util.Iterator;
import java.util.List;

/** What a caller may see of campaigns: those of others where their jobs are seen. */
public final class ShownCampaign {

  private ShownCampaign() {}

  /** Whether it is there for him. */
  public static boolean isSeen(Call call, Campaign campaign) {
    return campaign.getOwner().equals(call.invocation().user())
        || Roles.seesAll(call.site(), call::role);
  }

  /** Whether he sees what it runs and with which parameters, as with a job. */
  public static boolean isSeenInFull(Call call, Campaign campaign) {
    return campaign.getOwner().equals(call.invocation().user())
        || Roles.seesPrivateParts(call.site(), call::role);
  }

  /** CiGri's word for where it is. */
  public static String state(Campaign campaign) {
    if (campaign.getCancelled()) {
      return "cancelled";
    }
    return campaign.getEndedMs() >= 0
        ? "terminated"
        : campaign.getPausedMs() >= 0 ? "paused" : "in_treatment";
  }

  /** The description of a campaign. */
  public record Description(byte[] packed, List<ParameterBlock> blocks) {

    /** Asks for it; its parameters are forgotten with the end of the campaign. */
    public static Description of(DoorCall door, long campaign)
        throws Failure, InterruptedException {
      String path = "/campaigns/" + campaign;
      CampaignText text = door.list(path + "/text", CampaignText.class).get(0);
      byte[] packed = new byte[text.getJson().remaining()];
      text.getJson().duplicate().get(packed);
      return new Description(packed, door.list(path + "/blocks", ParameterBlock.class));
    }

    /** Writes it as it was sent, a block of parameters at a time. */
    public void write(boolean pretty, Writer to) throws IOException {
      Iterator<ParameterBlock> left = blocks.iterator();
      JdlText.write(packed, pretty, () -> left.hasNext() ? unpacked(left.next()) : List.of(), to);
    }

    /** One at a time in a process: it takes several times the room of the lines. */
    private static synchronized List<String> unpacked(ParameterBlock block) {
      return ParameterBlocks.unpack(block);
    }
  }
}
