package io.millrace.ops.plus;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.schedulers.dialects.plus.PlusText;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Policies in the words of PluS's own scheduler. */
public final class PlusDialect implements PolicyDialect {

  static final String SCHED_CONF = "sched_conf";
  private static final String RESERVABLE = "reservable.ad";

  /** A file that only a folder of PluS has, beside others that are no texts. */
  private static final String PROGRAM = "plus.jar";

  @Override
  public String principal() {
    return SCHED_CONF;
  }

  @Override
  public List<String> filesOf(List<String> names) {
    boolean ours = names.contains(RESERVABLE) || names.contains(PROGRAM) || names.size() == 1;
    return ours && names.contains(SCHED_CONF)
        ? List.of(RESERVABLE, SCHED_CONF).stream().filter(names::contains).toList()
        : List.of();
  }

  @Override
  public boolean knows(Map<String, String> texts) {
    return texts.size() == 1
        ? PlusText.describes(texts.values().iterator().next())
        : texts.containsKey(SCHED_CONF) && PlusText.describes(texts.get(SCHED_CONF));
  }

  @Override
  public PolicyReading read(Map<String, String> texts, boolean lenient) {
    List<String> notes = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    List<String> explanation = new ArrayList<>();
    texts.forEach(
        (name, text) -> {
          try {
            if (texts.size() == 1 || name.equals(SCHED_CONF)) {
              PlusText.PlusConfRead read = PlusText.read(name, text);
              notes.addAll(read.notes());
              explanation.addAll(read.conf().explain());
            } else if (name.equals(RESERVABLE)) {
              notes.addAll(ReservableText.of(name, text).notes());
            } else {
              notes.add(name + ": this is none of the files of PluS, and is passed over");
            }
          } catch (ConfigurationRefused e) {
            refusals.add(e.getMessage());
          }
        });
    return new PolicyReading(
        "the policy of a PluS scheduler, all valid", explanation, notes, refusals);
  }

  @Override
  public Optional<List<Attribute>> attributes(Map<String, String> texts) {
    return Optional.of(attributesOf(texts));
  }

  /**
   * The attributes of a scheduler object that say what a sched_conf says.
   *
   * @param texts by their names; a single one may have any name
   * @throws ConfigurationRefused when it is wrong
   */
  public static List<Attribute> attributesOf(Map<String, String> texts) {
    String name = texts.size() == 1 ? texts.keySet().iterator().next() : SCHED_CONF;
    return PlusText.read(name, texts.get(name)).conf().attributes();
  }
}
