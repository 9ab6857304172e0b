package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Adds tasks to a campaign that there is. */
public final class TaskAddition {

  /** Whoever adds at the same time has his turn meanwhile. */
  private static final int TRIES = 20;

  private final Call call;
  private final DoorCall door;

  public TaskAddition(Call call) {
    this.call = call;
    this.door = new DoorCall(call);
  }

  /**
   * Adds a task for each text of a JSON list.
   *
   * @return what the campaign server says
   * @throws JdlRefused when it is no list of lines
   * @throws IOException when it cannot be read
   */
  public Reply add(Campaign campaign, InputStream list)
      throws JdlRefused, IOException, Failure, InterruptedException {
    CampaignSubmission.checkCaller(call);
    int beside = ParameterBlocks.beside(campaign);
    ParameterBlocks lines = new ParameterBlocks(beside);
    JdlReader.lines(list, lines::add);
    List<ParameterBlock> blocks = checked(lines);
    long id = campaign.getId();
    List<String> groups = AdmissionGroups.of(call, door);
    // Under one id: when it is repeated as a whole, it is known whichever of the tries was taken.
    AddTasks command = new AddTasks(call.meta(), id, lines.count(), beside, blocks, groups);
    Reply reply = door.command(command);
    for (int i = 1; i < TRIES && reply.getCode() == PbsError.TRY_AGAIN.code(); i++) {
      Campaign now = door.list("/campaigns/" + id, Campaign.class).get(0);
      command.setBeside(ParameterBlocks.beside(now));
      command.setBlocks(checked(ParameterBlocks.again(blocks, command.getBeside())));
      reply = door.command(command);
    }
    return reply;
  }

  private static List<ParameterBlock> checked(ParameterBlocks lines) throws JdlRefused {
    List<ParameterBlock> blocks = lines.blocks();
    if (lines.tooLong()) {
      throw JdlRefused.at("", ParameterBlocks.TOO_LONG);
    }
    return blocks;
  }
}
