package io.millrace.ops.init;

import io.millrace.ops.home.HostFiles;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
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

/** {@code acls}: prints the access rules as calls of Kafka's own tool. */
public final class AclWord implements Word {

  @Override
  public String name() {
    return "acls";
  }

  @Override
  public String summary() {
    return "print the broker's access rules, for a cluster that you run yourself";
  }

  @Override
  public int run(List<String> args, Console console) throws UsageException {
    GivenOptions options =
        ProgramOptions.ofWord(
                "acls",
                "Prints one line for kafka-acls.sh for each access rule of a cluster, and of"
                    + " executors of\nthese hosts with principals of their own.")
            .operands("[HOST]...")
            .parse(args);
    List<AclBinding> rules = new ArrayList<>(AccessRules.all());
    for (String host : options.operands()) {
      if (!HostKey.isName(host)) {
        throw options.wrong("'" + host + "' is no name of a host");
      }
      rules.addAll(AccessRules.ofHost(HostFiles.principal(host)));
    }
    for (AclBinding rule : rules) {
      boolean prefixed = rule.pattern().patternType() == PatternType.PREFIXED;
      console.say(
          "kafka-acls.sh --bootstrap-server HOST:PORT --command-config admin.properties --add"
              + " --allow-principal "
              + rule.entry().principal()
              + " --operation "
              + rule.entry().operation()
              + " --"
              + option(rule.pattern().resourceType())
              + " "
              + rule.pattern().name()
              + (prefixed ? " --resource-pattern-type prefixed" : ""));
    }
    return 0;
  }

  private static String option(ResourceType type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
