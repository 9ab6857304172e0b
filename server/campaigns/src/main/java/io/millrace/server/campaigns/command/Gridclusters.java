package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.cluster.QueueUse;
import io.millrace.server.campaigns.cluster.SeenCluster;
import io.millrace.server.campaigns.core.PredictorWords;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** gridclusters: shows the queues to which campaigns may send tasks. */
final class Gridclusters implements Command {

  private static final String LETTERS = "iIub";

  private static final Map<String, Character> WORDS =
      Map.of("infos", 'i', "more_infos", 'I', "usage", 'u', "bars", 'b');

  private static final String USAGE = "usage: gridclusters [-i] [-I] [-u] [-b]\n";
  private static final int BAR = 50;

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE);

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    GetOpt options = WordOptions.of(call, LETTERS, WORDS);
    if (options.wrong() || !options.operands().isEmpty()) {
      throw call.usage(USAGE);
    }
    String forms = forms(options);
    Map<String, ClusterLoad> loads = new HashMap<>();
    new DoorCall(call).list("/loads", ClusterLoad.class).forEach(it -> loads.put(it.getName(), it));
    List<Campaign> campaigns = new ArrayList<>(new DoorCall(call).campaigns());
    List<Node> nodes = call.site().queries().nodes();
    List<QueueUse> uses = QueueUse.all(call.site().cluster(), nodes, campaigns);
    StringBuilder out = new StringBuilder();
    campaigns.removeIf(it -> it.getEndedMs() >= 0 || !ShownCampaign.isSeen(call, it));
    for (QueueUse use : uses) {
      String name = use.queue().getName();
      ClusterLoad load = loads.getOrDefault(name, use.seen().load());
      for (char form : forms.toCharArray()) {
        out.append(text(form, use, load));
        if (form == 'I') {
          predictors(name, campaigns, out);
        }
      }
    }
    call.out(out.toString());
    return 0;
  }

  /** More of the same hides less, and usage comes behind it. */
  private static String forms(GetOpt options) {
    boolean bars = options.has('b') && !options.has('i');
    String first = options.has('I') ? "I" : bars ? "" : "i";
    return first + (options.has('b') ? "b" : options.has('u') ? "u" : "");
  }

  private static String text(char form, QueueUse use, ClusterLoad load) {
    ClusterObject queue = use.queue();
    SeenCluster seen = use.seen();
    String name = queue.getName();
    String head = name + ", partition " + Site.partitionOf(queue);
    head += seen.code().isEmpty() ? "" : " (BLACKLISTED)";
    head += ", stress " + ClusterStress.shown(load);
    head += ClusterStress.tooMuch(load) ? " (UNDER_STRESS)\n" : "\n";
    return switch (form) {
      case 'i' -> head;
      case 'I' -> name + "\n" + details(queue, seen) + field("stress", ClusterStress.shown(load));
      case 'u' ->
          field("max_resources", use.most())
              + field("used_resources", use.busy())
              + field("used_by_cigri", use.tasks())
              + field("unavailable_resources", seen.away());
      default -> bar(name, seen, use.tasks(), use.busy());
    };
  }

  private static void predictors(String queue, List<Campaign> campaigns, StringBuilder out) {
    for (Campaign campaign : campaigns) {
      for (CampaignCluster cluster : campaign.getClusters()) {
        if (cluster.getName().equals(queue)) {
          String name = "predictor of campaign " + campaign.getId();
          out.append(field(name, PredictorWords.of(cluster)));
        }
      }
    }
  }

  private static String field(String name, Object value) {
    return "    " + name + ": " + value + "\n";
  }

  private static String details(ClusterObject queue, SeenCluster seen) {
    StringBuilder out = new StringBuilder();
    out.append(field("name", queue.getName()));
    out.append(field("partition", Site.partitionOf(queue)));
    out.append(field("batch", "millrace"));
    out.append(field("resource_unit", "ncpus"));
    for (String attribute : List.of("enabled", "started")) {
      String value = ClusterView.attribute(queue, attribute).orElse("False");
      out.append(field(attribute, value.toLowerCase(Locale.ROOT)));
    }
    out.append(field("blacklisted", !seen.code().isEmpty()));
    if (!seen.code().isEmpty()) {
      out.append(field("because", seen.code() + ": " + seen.why()));
    }
    return out.toString();
  }

  /** All processors of the cluster: tasks, other jobs, idle ones, those that are away. */
  private static String bar(String name, SeenCluster seen, int used, int busy) {
    int processors = seen.load().getProcessors();
    int all = Math.max(1, processors + seen.away());
    int[] ends = {used, busy, processors, processors + seen.away()};
    String letters = "#=.x";
    StringBuilder bar = new StringBuilder();
    for (int i = 0; i < letters.length(); i++) {
      int end = Math.toIntExact((long) ends[i] * BAR / all);
      bar.append(String.valueOf(letters.charAt(i)).repeat(Math.max(0, end - bar.length())));
    }
    return String.format(
        Locale.ROOT, "%-15s [%-" + BAR + "s] %d/%d%n", name, bar, busy, processors + seen.away());
  }
}
