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
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** gridsub: submits campaigns, and reads their descriptions. */
final class Gridsub implements Command {

  private static final String SCHEMA = "--schema";
  private static final String CHECK = "--check";
  private static final String USAGE =
      """
      usage: gridsub [-t test|default] FILE|-|JSON
             gridsub [-t test|default] -f FILE
             gridsub [-t test|default] -j JSON
             gridsub --check FILE|-|JSON
             gridsub --schema
      """;

  static final Syntax SYNTAX = Syntax.of("f:j:t:", USAGE).with(CHECK + " FILE|-|JSON", SCHEMA);

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
    boolean test = false;
    if (args.size() > 2 && args.get(0).equals("-t")) {
      test = isTest(call, args.get(1));
      args = args.subList(2, args.size());
    }
    boolean named = args.size() == 2 && List.of("-f", "-j").contains(args.get(0));
    if (!named && (args.size() != 1 || args.get(0).startsWith("-") && args.get(0).length() > 1)) {
      throw call.usage(USAGE);
    }
    return submit(call, args.get(args.size() - 1), test);
  }

  private static boolean isTest(Call call, String type) throws Failure {
    if (!type.equals("test") && !type.equals("default")) {
      throw call.failure("-t takes test or default, not '" + type + "'", 2);
    }
    return type.equals("test");
  }

  private static int submit(Call call, String operand, boolean test)
      throws Failure, LinkException, QueryException, InterruptedException {
    JdlSource source = new JdlSource(call.invocation());
    String name = call.name() + ": " + JdlSource.name(operand) + ": ";
    try (InputStream text = source.open(operand)) {
      SubmitCampaign command = new CampaignSubmission(call, source, test).command(text);
      DoorCall door = new DoorCall(call);
      AdmissionGroups.add(command, call, door);
      Reply reply = door.command(command);
      if (reply.getCode() != 0) {
        String why = String.join(" ", reply.getLines());
        throw call.failure(why, PbsError.exitStatus(reply.getCode()));
      }
      String id = reply.getLines().get(0);
      call.out("Campaign successfully submitted\nCAMPAIGN_ID=" + id + "\n");
      return 0;
    } catch (JdlRefused e) {
      StringBuilder all = new StringBuilder();
      e.faults().forEach(fault -> all.append(name).append(fault).append('\n'));
      throw new Failure(all.toString(), 1);
    } catch (IOException e) {
      throw new Failure(name + e.getMessage() + "\n", 1);
    }
  }
}
