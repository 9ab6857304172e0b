package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** gridevents: shows what went wrong, and closes it. */
final class Gridevents implements Command {

  private static final String LETTERS = "ac:e:fgrv";

  /** What is a word only has a letter that no user can mean. */
  private static final char STOP = '\u0001';

  private static final char MARK = '\u0002';

  private static final Map<String, Character> WORDS =
      Map.of(
          "all",
          'a',
          "campaign",
          'c',
          "event",
          'e',
          "fix",
          'f',
          "global",
          'g',
          "resubmit",
          'r',
          "verbose",
          'v',
          "blacklist-cluster",
          STOP,
          "mark-job-event",
          MARK);

  private static final String USAGE =
      """
      usage: gridevents [-c] CAMPAIGN_ID [-a]
             gridevents -g [-a]
             gridevents -e EVENT_ID
             gridevents -c CAMPAIGN_ID|-e EVENT_ID -f [-r] [-v]
             gridevents --blacklist-cluster CLUSTER
      """;
  private static final int WRONG = 2;

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE).with("--blacklist-cluster CLUSTER");

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    GetOpt options = WordOptions.of(call, LETTERS + STOP + ":" + MARK + ":", WORDS);
    if (options.has(MARK)) {
      throw call.failure(
          "--mark-job-event is not there: how a job ended is heard from its shard, and nobody else"
              + " says so; griddel -j ends one, qdel has it run again",
          WRONG);
    }
    List<String> numbers = options.operands();
    if (numbers.size() == 1 && !options.has('c') && !options.wrong()) {
      List<String> args = new ArrayList<>(call.args());
      args.remove(args.lastIndexOf(numbers.get(0)));
      args.addAll(0, List.of("-c", numbers.get(0)));
      return run(new Call(call.invocation(), call.site(), call.name(), args));
    }
    long places = options.options().stream().filter(it -> "ceg".indexOf(it.letter()) >= 0).count();
    boolean stop = options.has(STOP);
    if (options.wrong() || !numbers.isEmpty() || (places == 0) != stop) {
      throw call.usage(USAGE);
    }
    if (stop && "afrv".chars().anyMatch(it -> options.has((char) it))) {
      throw call.failure("--blacklist-cluster is given without -a, -f, -r and -v", WRONG);
    }
    if (stop && options.options().size() > 1) {
      throw call.failure("--blacklist-cluster may be given once", WRONG);
    }
    if (stop) {
      return stop(call, options.argument(STOP));
    }
    if (places > 1) {
      throw call.failure("one of -c, -e and -g may be given, once", WRONG);
    }
    if (options.has('r') && !options.has('f')) {
      throw call.failure("-r needs -f", WRONG);
    }
    if (options.has('v') && !options.has('f')) {
      throw call.failure("-v needs -f", WRONG);
    }
    if (options.has('f') && (options.has('g') || options.has('a'))) {
      throw call.failure("-f needs -c or -e, without -a", WRONG);
    }
    if (options.has('a') && options.has('e')) {
      throw call.failure("-a needs -c or -g", WRONG);
    }
    DoorCall door = new DoorCall(call);
    long number = options.has('g') ? 0 : number(call, options);
    if (options.has('f')) {
      return fix(call, door, options, number);
    }
    List<CampaignEvent> events = events(call, door, options, number);
    call.out(EventText.of(events, call.zone()));
    return 0;
  }

  private static int stop(Call call, String cluster) throws Failure, InterruptedException {
    if (call.site().cluster().find(ObjectKind.QUEUE, cluster).isEmpty()) {
      throw call.failure("there is no cluster " + cluster, 1);
    }
    Reply reply = new DoorCall(call).command(new StopCluster(call.meta(), cluster, ""));
    if (reply.getCode() != 0) {
      call.complain(String.join(" ", reply.getLines()));
    }
    return PbsError.exitStatus(reply.getCode());
  }

  private static long number(Call call, GetOpt options) throws Failure {
    if (options.has('c')) {
      return Gridstat.number(call, options.argument('c'));
    }
    String text = options.argument('e');
    if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) == 0) {
      throw call.failure("'" + text + "' is no number of an event", 1);
    }
    return Long.parseLong(text);
  }

  private static int fix(Call call, DoorCall door, GetOpt options, long number)
      throws Failure, InterruptedException {
    boolean one = options.has('e');
    Reply reply =
        door.command(
            new FixEvents(call.meta(), one ? 0 : number, one ? number : 0, options.has('r'), 0L));
    if (reply.getCode() != 0) {
      call.complain(String.join(" ", reply.getLines()));
    } else if (options.has('v')) {
      call.out(
          (one ? "Event " + number + " closed" : "Campaign " + number + " events closed") + "\n");
    }
    return PbsError.exitStatus(reply.getCode());
  }

  private static List<CampaignEvent> events(Call call, DoorCall door, GetOpt options, long number)
      throws Failure, InterruptedException {
    if (options.has('e')) {
      CampaignEvent event = door.list("/events/" + number, CampaignEvent.class).get(0);
      boolean seen = event.getCampaign() == 0;
      if (!seen) {
        Campaign campaign = door.list("/campaigns/" + event.getCampaign(), Campaign.class).get(0);
        seen = ShownCampaign.isSeen(call, campaign);
      }
      if (!seen) {
        throw call.failure("there is no event " + number, 1);
      }
      return List.of(event);
    }
    String path = options.has('g') ? "/events" : "/campaigns/" + number + "/events";
    if (options.has('c')) {
      Campaign campaign = door.list("/campaigns/" + number, Campaign.class).get(0);
      if (!ShownCampaign.isSeen(call, campaign)) {
        throw call.failure("there is no campaign " + number, 1);
      }
    }
    return open(door.list(path, CampaignEvent.class), options.has('a'));
  }

  /** Those that are open, or all. */
  static List<CampaignEvent> open(List<CampaignEvent> events, boolean all) {
    return events.stream().filter(it -> all || it.getClosedMs() < 0).toList();
  }
}
