package io.millrace.ops.launcher;

import io.millrace.ops.init.AccessRules;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** {@code acls}: the access rules as calls of Kafka's own tool. */
final class AclLines {

  private AclLines() {}

  static int run(List<String> args, Console console) throws UsageException {
    new Options("acls", "Prints one line for kafka-acls.sh for each access rule of a cluster.")
        .parse(args);
    for (AclBinding rule : AccessRules.all()) {
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
