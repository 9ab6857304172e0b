package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.AdmissionGroups;
import io.millrace.server.campaigns.ask.CampaignSubmission;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.JdlSource;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.ask.TaskAddition;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.campaigns.jdl.JdlSchema;
import io.millrace.server.campaigns.rest.CigriDump;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** gridsub: submits campaigns, adds tasks to them, and reads their descriptions. */
final class Gridsub implements Command {

  private static final String SCHEMA = "--schema";
  private static final String CHECK = "--check";
  private static final String USAGE =
      """
      usage: gridsub [-t test|default] [-d] FILE|-|JSON
             gridsub [-t test|default] [-d] -f FILE|-j JSON...
             gridsub [-d] -c CAMPAIGN_ID -F FILE|-J JSON...
             gridsub --check FILE|-|JSON
             gridsub --schema
      """;

  private static final String LETTERS = "c:df:F:j:J:t:";

  private static final Map<String, Character> WORDS =
      Map.of(
          "campaign",
          'c',
          "details",
          'd',
          "file",
          'f',
          "jobfile",
          'F',
          "json",
          'j',
          "jsonjob",
          'J',
          "type",
          't');

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE).with(CHECK + " FILE|-|JSON", SCHEMA);

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public String undone() {
    return "not submitted";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    List<String> args = call.args();
    if (args.equals(List.of(SCHEMA))) {
      call.out(JdlSchema.text());
      return 0;
    }
    if (args.size() == 2 && args.get(0).equals(CHECK)) {
      return new JdlCheck(call.invocation(), call.name()).run(args.get(1));
    }
    GetOpt options = WordOptions.of(call, LETTERS, WORDS);
    List<GetOpt.GivenOption> named = those(options, "fj");
    List<GetOpt.GivenOption> jobs = those(options, "FJ");
    int operands = options.operands().size();
    boolean alone = named.isEmpty() && jobs.isEmpty();
    if (options.wrong() || (alone ? operands != 1 && !options.has('c') : operands > 0)) {
      throw call.usage(USAGE);
    }
    check(call, options, jobs, named.isEmpty() && operands == 0);
    boolean test = options.has('t') && isTest(call, options.argument('t'));
    JdlSource source = new JdlSource(call.invocation());
    if (alone) {
      String operand = options.operands().get(0);
      submit(call, JdlSource.name(operand), () -> source.open(operand), options, test);
    }
    for (GetOpt.GivenOption one : named) {
      String text = one.argument();
      if (one.letter() == 'j') {
        submit(call, JdlSource.JSON_NAME, () -> source.json(text), options, test);
      } else {
        submit(call, text, () -> source.file(text), options, test);
      }
    }
    // As in CiGri behind the campaigns, wherever they stand.
    for (GetOpt.GivenOption one : jobs) {
      String text = one.argument();
      if (one.letter() == 'J') {
        add(call, JdlSource.JSON_NAME, () -> source.json(text), options);
      } else {
        add(call, text, () -> source.file(text), options);
      }
    }
    return 0;
  }

  private static List<GetOpt.GivenOption> those(GetOpt options, String letters) {
    return options.options().stream().filter(it -> letters.indexOf(it.letter()) >= 0).toList();
  }

  /** What would be passed over in silence. */
  private static void check(
      Call call, GetOpt options, List<GetOpt.GivenOption> jobs, boolean onlyJobs) throws Failure {
    if (those(options, "c").size() > 1) {
      throw call.failure("-c may be given once", 2);
    }
    if (options.has('c') && jobs.isEmpty()) {
      throw call.failure("-c is for -F and -J, which add jobs to that campaign", 2);
    }
    if (!options.has('c') && !jobs.isEmpty()) {
      throw call.failure("-F and -J need -c CAMPAIGN_ID, to which they add jobs", 2);
    }
    if (options.has('t') && onlyJobs) {
      throw call.failure("-t is for new campaigns", 2);
    }
  }

  /** Opens a description. */
  private interface DescriptionSource {
    InputStream open() throws IOException;
  }

  private static boolean isTest(Call call, String type) throws Failure {
    if (!type.equals("test") && !type.equals("default")) {
      throw call.failure("-t takes test or default, not '" + type + "'", 2);
    }
    return type.equals("test");
  }

  private static void submit(
      Call call, String called, DescriptionSource from, GetOpt options, boolean test)
      throws Failure, LinkException, QueryException, InterruptedException {
    JdlSource source = new JdlSource(call.invocation());
    String name = call.name() + ": " + called + ": ";
    try (InputStream text = from.open()) {
      SubmitCampaign command = new CampaignSubmission(call, source, test).command(text);
      DoorCall door = new DoorCall(call);
      command.setGroups(AdmissionGroups.of(call, door));
      Reply reply = checked(call, door.command(command));
      String id = reply.getLines().get(0);
      // At once: the campaign is there, whatever becomes of its details.
      call.out("Campaign successfully submitted\nCAMPAIGN_ID=" + id + "\n");
      if (options.has('d')) {
        call.out(CigriDump.CAMPAIGN.text(call, Map.of("id", id), Map.of()));
      }
    } catch (JdlRefused e) {
      throw refused(name, e);
    } catch (IOException e) {
      throw new Failure(name + e.getMessage() + "\n", 1);
    }
  }

  private static Failure refused(String name, JdlRefused e) {
    StringBuilder all = new StringBuilder();
    e.faults().forEach(fault -> all.append(name).append(fault).append('\n'));
    return new Failure(all.toString(), 1);
  }

  private static void add(Call call, String called, DescriptionSource from, GetOpt options)
      throws Failure, InterruptedException {
    long id = Gridstat.number(call, options.argument('c'));
    Campaign campaign = new DoorCall(call).list("/campaigns/" + id, Campaign.class).get(0);
    if (!ShownCampaign.isSeen(call, campaign)) {
      throw call.failure("there is no campaign " + id, 1);
    }
    String name = call.name() + ": " + called + ": ";
    try (InputStream list = from.open()) {
      checked(call, new TaskAddition(call).add(campaign, list));
      call.out("Jobs successfully added to campaign " + id + "\n");
      if (options.has('d')) {
        call.out(CigriDump.CAMPAIGN.text(call, Map.of("id", Long.toString(id)), Map.of()));
      }
    } catch (JdlRefused e) {
      throw refused(name, e);
    } catch (IOException e) {
      throw new Failure(name + e.getMessage() + "\n", 1);
    }
  }

  private static Reply checked(Call call, Reply reply) throws Failure {
    if (reply.getCode() != 0) {
      String why = String.join(" ", reply.getLines());
      throw call.failure(why, PbsError.exitStatus(reply.getCode()));
    }
    return reply;
  }
}
