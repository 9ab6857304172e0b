package io.millrace.server.gateway.admin;

import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * {@code sched-config-load SCHEDULER ZONE FOLDER FILE...}: the second half of {@code ./millrace
 * policy load} of a PBS scheduler's files. FOLDER is the one whose files are followed from then on,
 * or {@code -} for none.
 */
final class SchedConfigLoad implements Command {
  private static final String USAGE = "usage: ./millrace policy load SCHEDULER FOLDER\n";
  private static final int BEFORE_FILES = 3;

  @Override
  public String spokenName(String word) {
    return "millrace policy";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, IOException, InterruptedException {
    if (call.args().size() <= BEFORE_FILES) {
      throw call.usage(USAGE);
    }
    String scheduler = call.args().get(0);
    String zone = call.args().get(1);
    String followed = call.args().get(2).equals("-") ? "" : call.args().get(2);
    Map<String, String> texts =
        PolicyTexts.read(call, call.args().subList(BEFORE_FILES, call.args().size()));
    String text = StoredPolicy.join(texts, zone);
    List<String> problems = StoredPolicy.read(text).problems();
    if (!problems.isEmpty()) {
      problems.forEach(call::complain);
      return 1;
    }
    PolicyTexts.set(call, scheduler, AttributeTable.SCHED_CONFIG, text, followed);
    String files = String.join(", ", texts.keySet());
    call.out(
        "scheduler " + scheduler + " decides by " + files + "; times are those of " + zone + "\n");
    if (!followed.isEmpty()) {
      call.out(
          "from now on changes of the files of "
              + followed
              + " are loaded within seconds, if the gateway may read them (policy_problem)\n");
    }
    return 0;
  }
}
