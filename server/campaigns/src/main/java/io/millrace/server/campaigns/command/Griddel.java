package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** griddel: ends campaigns, or has them pause and go on. */
final class Griddel implements Command {

  private static final String LETTERS = "c:pr";
  private static final String USAGE = "usage: griddel [-p|-r] [-c] CAMPAIGN_ID...\n";

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE);

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    GetOpt options = call.options(LETTERS);
    List<String> ids = new ArrayList<>(options.operands());
    options.options().stream()
        .filter(option -> option.letter() == 'c')
        .forEach(option -> ids.add(0, option.argument()));
    boolean pause = options.has('p');
    boolean resume = options.has('r');
    if (options.wrong() || ids.isEmpty() || pause && resume) {
      throw call.usage(USAGE);
    }
    List<Long> numbers = new ArrayList<>();
    for (String id : ids) {
      numbers.add(Gridstat.number(call, id));
    }
    int status = 0;
    for (long number : numbers) {
      SpecificRecord command =
          pause || resume
              ? new AlterCampaign(call.meta(), number, null, pause)
              : new DeleteCampaign(call.meta(), number);
      Reply reply = new DoorCall(call).command(command);
      if (reply.getCode() != 0) {
        call.complain(String.join(" ", reply.getLines()));
        status = PbsError.exitStatus(reply.getCode());
      }
    }
    return status;
  }
}
