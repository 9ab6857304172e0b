package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.TaskNumber;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/** griddel: ends campaigns or a job of one, has them pause and go on, or forgets them. */
final class Griddel implements Command {

  private static final String LETTERS = "c:j:prv";

  /** What is a word only has a letter that no user can mean. */
  private static final char PURGE = '\u0001';

  private static final Map<String, Character> WORDS =
      Map.of(
          "campaign_ids",
          'c',
          "job",
          'j',
          "pause",
          'p',
          "resume",
          'r',
          "verbose",
          'v',
          "purge",
          PURGE);

  private static final String USAGE =
      """
      usage: griddel [-v] [-p|-r|--purge] [-c] CAMPAIGN_ID[,CAMPAIGN_ID...]...
             griddel [-v] -j CAMPAIGN.JOB...
      """;

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE).with("--purge");

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    GetOpt options = WordOptions.of(call, LETTERS + PURGE, WORDS);
    List<String> ids = new ArrayList<>();
    options.options().stream()
        .filter(option -> option.letter() == 'c')
        .forEach(option -> ids.add(0, option.argument()));
    ids.addAll(options.operands());
    long ways = Stream.of('p', 'r', 'j', PURGE).filter(options::has).count();
    if (options.wrong() || options.has('j') != ids.isEmpty() || ways > 1) {
      throw call.usage(USAGE);
    }
    int status = 0;
    for (Map.Entry<String, SpecificRecord> one : commands(call, options, ids).entrySet()) {
      Reply reply = new DoorCall(call).command(one.getValue());
      if (reply.getCode() != 0) {
        call.complain(String.join(" ", reply.getLines()));
        status = PbsError.exitStatus(reply.getCode());
      } else if (options.has('v')) {
        call.out(one.getKey() + "\n");
      }
    }
    return status;
  }

  /** What is to be done, and what is said of it. */
  private static Map<String, SpecificRecord> commands(Call call, GetOpt options, List<String> ids)
      throws Failure {
    Map<String, SpecificRecord> all = new LinkedHashMap<>();
    for (GetOpt.GivenOption one : options.options()) {
      if (one.letter() != 'j') {
        continue;
      }
      String text = one.argument();
      TaskNumber number =
          TaskNumber.parse(text)
              .orElseThrow(
                  () -> call.failure("'" + text + "' is no job; one is CAMPAIGN.JOB, as 5.17", 1));
      all.put(
          "Job " + number + " is being cancelled",
          new DeleteTask(call.meta(), number.campaign(), number.task()));
    }
    for (String list : ids) {
      for (String id : list.split(",", -1)) {
        long number = Gridstat.number(call, id);
        String name = "Campaign " + number;
        if (options.has(PURGE)) {
          all.put(name + " purged", new PurgeCampaign(call.meta(), number));
        } else if (options.has('p') || options.has('r')) {
          boolean pause = options.has('p');
          String done = pause ? " paused" : " resumed";
          all.put(name + done, new AlterCampaign(call.meta(), number, null, pause));
        } else {
          all.put(name + " cancelled", new DeleteCampaign(call.meta(), number));
        }
      }
    }
    return all;
  }
}
