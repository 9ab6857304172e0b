package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.AdmissionGroups;
import io.millrace.server.campaigns.ask.CampaignSubmission;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.JdlSource;
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

/** gridsub: submits campaigns, and reads their descriptions. */
final class Gridsub implements Command {

  private static final String SCHEMA = "--schema";
  private static final String CHECK = "--check";
  private static final String USAGE =
      """
      usage: gridsub [-t test|default] [-d] FILE|-|JSON
             gridsub [-t test|default] [-d] -f FILE|-j JSON...
             gridsub --check FILE|-|JSON
             gridsub --schema
      """;

  private static final String LETTERS = "df:j:t:";

  /** CiGri's, which are refused by name. */
  private static final String REFUSED = "c:F:J:";

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
    GetOpt options = WordOptions.of(call, LETTERS + REFUSED, WORDS);
    if (!options.wrong() && "cFJ".chars().anyMatch(it -> options.has((char) it))) {
      throw call.failure(
          "-c, -F and -J are not there: a campaign's jobs are those that it was submitted with;"
              + " submit another one",
          2);
    }
    List<GetOpt.GivenOption> named =
        options.options().stream().filter(it -> "fj".indexOf(it.letter()) >= 0).toList();
    int operands = options.operands().size();
    if (options.wrong() || (named.isEmpty() ? operands != 1 : operands > 0)) {
      throw call.usage(USAGE);
    }
    boolean test = options.has('t') && isTest(call, options.argument('t'));
    JdlSource source = new JdlSource(call.invocation());
    if (named.isEmpty()) {
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
    return 0;
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
      AdmissionGroups.add(command, call, door);
      Reply reply = door.command(command);
      if (reply.getCode() != 0) {
        String why = String.join(" ", reply.getLines());
        throw call.failure(why, PbsError.exitStatus(reply.getCode()));
      }
      String id = reply.getLines().get(0);
      // At once: the campaign is there, whatever becomes of its details.
      call.out("Campaign successfully submitted\nCAMPAIGN_ID=" + id + "\n");
      if (options.has('d')) {
        call.out(CigriDump.CAMPAIGN.text(call, Map.of("id", id), Map.of()));
      }
    } catch (JdlRefused e) {
      StringBuilder all = new StringBuilder();
      e.faults().forEach(fault -> all.append(name).append(fault).append('\n'));
      throw new Failure(all.toString(), 1);
    } catch (IOException e) {
      throw new Failure(name + e.getMessage() + "\n", 1);
    }
  }
}
