package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.AdmissionRules;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.JdlSource;
import io.millrace.server.campaigns.ask.RuleFile;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** gridrules: which campaigns are taken. */
final class Gridrules implements Command {

  private static final String USAGE = "usage: gridrules [FILE|-]\n";

  static final Syntax SYNTAX = Syntax.of("", USAGE);

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    GetOpt options = GetOpt.parse("", call.args(), false, text -> call.complain(text));
    List<String> files = options.operands();
    if (options.wrong() || files.size() > 1) {
      throw call.usage(USAGE);
    }
    return files.isEmpty() ? show(call) : set(call, files.get(0));
  }

  /** They may say whose campaigns are refused, and are shown to those who are asked why. */
  private static int show(Call call) throws Failure, InterruptedException {
    Role role = call.role();
    if (role != Role.MANAGER && role != Role.OPERATOR) {
      throw call.failure("managers and operators see the admission rules", 1);
    }
    List<AdmissionRules> rules = new DoorCall(call).list("/admission", AdmissionRules.class);
    try {
      call.out(RuleFile.text(rules.isEmpty() ? List.of() : rules.get(0).getRules()) + "\n");
      return 0;
    } catch (IOException e) {
      throw call.failure(e.getMessage(), 1);
    }
  }

  /** Who may is decided by the campaign server, by the role that the gateway found. */
  private static int set(Call call, String file) throws Failure, InterruptedException {
    SetAdmissionRules command = new SetAdmissionRules(call.meta(), rules(call, file));
    Reply reply = new DoorCall(call).command(command);
    String line = String.join(" ", reply.getLines());
    if (reply.getCode() != 0) {
      call.complain(line);
    } else {
      call.out("admission rules: " + line + "\n");
    }
    return PbsError.exitStatus(reply.getCode());
  }

  private static List<AdmissionRule> rules(Call call, String file) throws Failure {
    try (InputStream in = new JdlSource(call.invocation()).file(file)) {
      byte[] bytes = in.readNBytes(RuleFile.BYTES_MAX + 1);
      if (bytes.length > RuleFile.BYTES_MAX) {
        throw call.failure(file + " has more than 1 MiB", 1);
      }
      return RuleFile.read(bytes);
    } catch (IOException e) {
      throw call.failure(file + ": " + e.getMessage(), 1);
    }
  }
}
