package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideXml;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamReader;

/** The XML of {@code qstat -x} and {@code pbsnodes -x}: a list of objects with fields. */
final class TorqueXml {

  private static final int ROOT = 1;
  private static final int OBJECT = 2;
  private static final int FIELD = 3;
  private static final int INNER = 4;

  private TorqueXml() {}

  /**
   * Reads all objects of a name.
   *
   * @param object takes the fields of each; those of an inner element are called {@code
   *     OUTER.INNER}
   * @return why this is no whole answer; empty when it is one
   */
  static Optional<String> read(
      OutsideAnswer answer, String name, Consumer<Map<String, String>> object) {
    if (!answer.isGood()) {
      return Optional.of(answer.trouble());
    }
    if (answer.text().isBlank()) {
      return Optional.of("it prints nothing");
    }
    TorqueElements elements = new TorqueElements(name, object);
    Optional<String> trouble = OutsideXml.read(answer.text(), elements);
    return trouble.isPresent() || elements.data
        ? trouble
        : Optional.of("this is no answer of Torque");
  }

  private static final class TorqueElements implements OutsideXml.XmlElementHandler {
    private final String name;
    private final Consumer<Map<String, String>> object;
    private Map<String, String> fields = new LinkedHashMap<>();
    private String outer = "";
    private boolean parent;
    private int depth;
    private boolean data;

    TorqueElements(String name, Consumer<Map<String, String>> object) {
      this.name = name;
      this.object = object;
    }

    @Override
    public void begins(String element, XMLStreamReader at) {
      depth++;
      if (depth == ROOT) {
        data = element.equals("Data");
      } else if (depth == OBJECT) {
        fields = new LinkedHashMap<>();
      } else if (depth == FIELD) {
        outer = element;
        parent = false;
      } else {
        parent = true;
      }
    }

    @Override
    public void ends(String element, String text) {
      if (depth == OBJECT && element.equals(name)) {
        object.accept(fields);
      } else if (depth == FIELD && !parent) {
        fields.put(element, text);
      } else if (depth == INNER) {
        fields.put(outer + "." + element, text);
      }
      depth--;
    }
  }
}
