package io.millrace.ops.cluster;

import io.millrace.ops.home.HostFiles;
import io.millrace.ops.init.AccessRules;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * {@code acls}: prints the access rules as calls of Kafka's own tool, says which a cluster lacks,
 * or sets them.
 */
public final class AclWord implements Word {

  private static final String CHECK = "--check";
  private static final String APPLY = "--apply";
  private static final String SERVERS = "--bootstrap-servers";
  private static final String SETTINGS = "--admin-properties";

  @Override
  public String name() {
    return "acls";
  }

  @Override
  public String summary() {
    return "the brokers' access rules, for a cluster that you run yourself: print, check, set";
  }

  @Override
  public int run(List<String> args, Console console)
      throws InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        ProgramOptions.ofWord(
                "acls",
                "Prints one line for kafka-acls.sh for each access rule of a cluster, and of"
                    + " executors of\nthese hosts with principals of their own.")
            .operands("[HOST]...")
            .flag(CHECK, "only the rules that the cluster lacks; exit status 1 when there are some")
            .flag(APPLY, "sets the rules that the cluster lacks, in one call")
            .value(SERVERS, "H:P,..", "with --check and --apply: the brokers")
            .value(SETTINGS, "FILE", "with them: an administrator's Kafka client settings")
            .parse(args);
    List<AclBinding> rules = rules(options);
    boolean apply = options.has(APPLY);
    if (!apply && !options.has(CHECK)) {
      for (String only : List.of(SERVERS, SETTINGS)) {
        if (options.has(only)) {
          throw options.wrong(only + " goes with " + CHECK + " and " + APPLY);
        }
      }
      rules.forEach(rule -> console.say(line(rule)));
      return 0;
    }
    if (apply && options.has(CHECK)) {
      throw options.wrong(CHECK + " changes nothing and " + APPLY + " does: give one of them");
    }
    options.require(SERVERS);
    options.require(SETTINGS);
    List<AclBinding> missing = new RuleState(options.kafka(SETTINGS)).missing(rules, apply);
    if (apply) {
      console.say("set " + missing.size() + " of " + rules.size() + " rules");
      return 0;
    }
    missing.forEach(rule -> console.say("missing: " + line(rule)));
    if (missing.isEmpty()) {
      console.say("all " + rules.size() + " rules are there");
    } else {
      console.say(
          missing.size() + " of " + rules.size() + " rules are missing: " + APPLY + " sets them");
    }
    return missing.isEmpty() ? 0 : 1;
  }

  private static List<AclBinding> rules(GivenOptions options) throws UsageException {
    List<AclBinding> rules = new ArrayList<>(AccessRules.all());
    for (String host : options.operands()) {
      if (!HostKey.isName(host)) {
        throw options.wrong("'" + host + "' is no name of a host");
      }
      rules.addAll(AccessRules.ofHost(HostFiles.principal(host)));
    }
    return rules.stream().distinct().toList();
  }

  private static String line(AclBinding rule) {
    boolean prefixed = rule.pattern().patternType() == PatternType.PREFIXED;
    return "kafka-acls.sh --bootstrap-server HOST:PORT --command-config admin.properties --add"
        + " --allow-principal "
        + rule.entry().principal()
        + " --operation "
        + rule.entry().operation()
        + " --"
        + option(rule.pattern().resourceType())
        + " "
        + rule.pattern().name()
        + (prefixed ? " --resource-pattern-type prefixed" : "");
  }

  private static String option(ResourceType type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
