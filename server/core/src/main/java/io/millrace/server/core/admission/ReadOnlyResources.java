package io.millrace.server.core.admission;

import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.core.Context;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Refused;
import io.millrace.server.core.cluster.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Custom resources with the flag r: users see them and have what defaults give them; what stands
 * behind {@code -l}, also in a select, is for operators and managers.
 */
public final class ReadOnlyResources {
  private static final char FLAG = 'r';
  private static final List<String> FORMS = List.of("select", "nodes");

  private ReadOnlyResources() {}

  /**
   * Refuses what a user may not say.
   *
   * @param before what was asked for before; null for nothing
   * @param after what is asked for now; null for nothing
   */
  public static void check(Context c, List<Attribute> before, List<Attribute> after)
      throws Refused {
    if (c.isOperator() || after == null) {
      return;
    }
    Set<String> names = names(c);
    if (names.isEmpty()) {
      return;
    }
    List<String> was = wishes(names, before);
    List<String> is = wishes(names, after);
    if (!was.equals(is)) {
      is.addAll(was);
      String name = is.get(0).substring(0, is.get(0).indexOf('='));
      throw new Refused(PbsError.READ_ONLY_ATTRIBUTE, " Resource_List." + name);
    }
  }

  private static Set<String> names(Context c) {
    Set<String> names = new HashSet<>();
    Nodes.each(
        c.view(),
        ObjectKind.RESOURCE,
        it -> {
          if (Context.attribute(it, AttributeTable.FLAG, "").indexOf(FLAG) >= 0) {
            names.add(it.getName());
          }
        });
    return names;
  }

  /** Each wish for one of the resources, as NAME=VALUE, in order. */
  private static List<String> wishes(Set<String> names, List<Attribute> asked) {
    List<String> wishes = new ArrayList<>();
    for (Attribute each : asked == null ? List.<Attribute>of() : asked) {
      boolean several = FORMS.contains(each.getName());
      for (String part :
          several
              ? List.of(each.getValue().split("[+:#]"))
              : List.of(each.getName() + "=" + each.getValue())) {
        // A word alone in nodes is a wish for the boolean of that name.
        String word = part.indexOf('=') < 0 ? part + "=" : part;
        int equals = word.indexOf('=');
        if (names.contains(word.substring(0, equals).strip())) {
          wishes.add(word.strip());
        }
      }
    }
    Collections.sort(wishes);
    return wishes;
  }
}
