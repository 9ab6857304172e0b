package io.millrace.ops.plus;

import io.millrace.reservations.classad.plus.NodeRecord;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The node of a sample: {@code --node name=node1,loadavg=0.2,gpus=2}. */
final class SampleNode {

  private final GivenOptions options;
  private final Map<String, String> given = new LinkedHashMap<>();

  private SampleNode(GivenOptions options) {
    this.options = options;
  }

  /**
   * An idle node of one processor, but for what the option says. Names that are none of a node's
   * own are resources.
   *
   * @throws UsageException for what is no fact of a node
   */
  static NodeRecord of(GivenOptions options) throws UsageException {
    SampleNode sample = new SampleNode(options);
    String text = options.get("--node").orElse("");
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (!each.matches("[A-Za-z_][A-Za-z_0-9]*=.*")) {
        throw options.wrong(
            "--node takes facts as name=node1,loadavg=0.2,gpus=2, not '" + each + "'");
      }
      int equals = each.indexOf('=');
      sample.given.put(
          each.substring(0, equals).toLowerCase(Locale.ROOT), each.substring(equals + 1));
    }
    return sample.node();
  }

  private NodeRecord node() throws UsageException {
    String name = take("name", "node1");
    NodeRecord.NodeCondition state =
        new NodeRecord.NodeCondition(
            truth("isalive", take("isalive", "true")),
            real(take("loadavg", "0")),
            (int) whole("nrunjobs", take("nrunjobs", "0"), Integer.MAX_VALUE));
    NodeRecord.NodePlatform kind =
        new NodeRecord.NodePlatform(take("arch", "x86_64"), take("os", "linux"));
    NodeRecord.Size size =
        new NodeRecord.Size(
            (int) whole("ncpus", take("ncpus", "1"), Integer.MAX_VALUE),
            whole("mem", take("mem", "1073741824"), Long.MAX_VALUE));
    Map<String, Value> resources = new LinkedHashMap<>();
    given.forEach((resource, value) -> resources.put(resource, value(value)));
    return new NodeRecord(name, state, kind, size, resources);
  }

  private String take(String name, String otherwise) {
    String value = given.remove(name);
    return value == null ? otherwise : value;
  }

  private boolean truth(String name, String text) throws UsageException {
    if (!text.equals("true") && !text.equals("false")) {
      throw options.wrong("--node: " + name + " is true or false, not '" + text + "'");
    }
    return text.equals("true");
  }

  private double real(String text) throws UsageException {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      throw options.wrong("--node: loadavg is a number such as 0.25, not '" + text + "'");
    }
    return Double.parseDouble(text);
  }

  private long whole(String name, String text, long most) throws UsageException {
    if (text.matches("[0-9]{1,18}") && Long.parseLong(text) <= most) {
      return Long.parseLong(text);
    }
    String unit = name.equals("mem") ? " of bytes" : "";
    throw options.wrong("--node: " + name + " is a whole number" + unit + ", not '" + text + "'");
  }

  private static Value value(String text) {
    if (text.matches("-?[0-9]{1,18}")) {
      return Scalar.of(Long.parseLong(text));
    }
    if (text.matches("-?[0-9]{1,18}\\.[0-9]{1,18}")) {
      return Scalar.of(Double.parseDouble(text));
    }
    return text.equals("true") || text.equals("false")
        ? Scalar.of(text.equals("true"))
        : Scalar.of(text);
  }
}
